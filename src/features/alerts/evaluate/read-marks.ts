import type { Ctx } from '../../../context.ts';
import { eventsOf, type Measure, RUN_SUMS } from '../../../core/events/index.ts';
import { readScoreMarks } from '../../../core/scores/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { DAY } from '../judge/minutes.ts';
import type { Marked, MarkSpan, SpanMark } from './want.ts';

/** Measures that change with every call, however it is corrected. */
const MEASURES = [
  'requests',
  'errors',
  'timeouts',
  'rateLimited',
  'cost',
  'unpriced',
  'inputTokens',
  'cacheReadTokens',
  'outputTokens',
  'latencyAvg',
  'ttftAvg',
  'guardrailChecks',
  'guardrailBlocks',
] as const satisfies readonly Measure[];

/** Reads fingerprints: of calls from the roll-ups, of scores from the scores, of runs from what segments say about them. */
export async function readMarks(
  ctx: Ctx,
  scope: ProjectScope,
  of: Marked,
  spans: readonly MarkSpan[],
): Promise<SpanMark[]> {
  const found: SpanMark[] = [];
  for (const span of spans)
    if (span.from < span.to)
      found.push(
        ...(of.of === 'scores'
          ? await readScores(ctx, scope, of.names, span)
          : await (of.of === 'runs' ? readRuns : readCalls)(ctx, scope, span)),
      );
  return found;
}

const inTime = ({ from, to }: MarkSpan) => ({ from: from * MINUTE_MS, to: to * MINUTE_MS });

async function readCalls(ctx: Ctx, scope: ProjectScope, span: MarkSpan): Promise<SpanMark[]> {
  const query = {
    measures: MEASURES,
    window: inTime(span),
    bucket: span.step === DAY ? 'day' : 'hour',
  } as const;
  const { marks } = await eventsOf(ctx).metrics(ofProjects([scope]), { marks: query });
  return marks.flatMap(({ time, ...sums }) => {
    if (time === null) return [];
    const from = time / MINUTE_MS;
    return [{ from, to: from + span.step, print: MEASURES.map((name) => sums[name]).join(' ') }];
  });
}

/** Most of one read of runs, in minutes. */
const MOST_OF_RUNS = 7 * DAY;

async function readRuns(ctx: Ctx, scope: ProjectScope, span: MarkSpan): Promise<SpanMark[]> {
  const found: SpanMark[] = [];
  for (let { from } = span; from < span.to; from += MOST_OF_RUNS) {
    const window = inTime({ ...span, from, to: Math.min(from + MOST_OF_RUNS, span.to) });
    const shapes = [{ filters: {}, groupBy: null, times: [] }];
    const ranges = [{ ...window, step: span.step * MINUTE_MS, shapes: [0] }];
    const parts = await eventsOf(ctx).runSeries(ofProjects([scope]), { shapes, ranges });
    for (const { cells } of parts.parse())
      for (let cell = 0; cell < cells.length; cell += RUN_WIDTH) {
        const [step = 0, , ...sums] = cells.slice(cell, cell + RUN_WIDTH);
        const at = step * span.step;
        found.push({ from: at, to: at + span.step, print: sums.join(' ') });
      }
  }
  return found;
}
/** Step, group and sums. */
const RUN_WIDTH = 2 + RUN_SUMS.length;

async function readScores(
  ctx: Ctx,
  scope: ProjectScope,
  names: readonly string[],
  span: MarkSpan,
): Promise<SpanMark[]> {
  const query = { names, ...inTime(span), step: span.step * MINUTE_MS };
  const marks = (await ctx.db.read(readScoreMarks, ofProjects([scope]), query)).parse();
  return marks.map(({ step, print }) => ({ from: step * span.step, to: (step + 1) * span.step, print }));
}
