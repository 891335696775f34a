import type { Ctx } from '../../../context.ts';
import { type AskedScore, parseScoreMeasure } from '../../../lib/scores/score-measures.ts';
import { parseInstant } from '../../../lib/time.ts';
import type { Condition } from '../../events/filter/contract.ts';
import type { MetricsReply, ScoreMeasure } from '../../events/query/contract.ts';
import type { EventScope } from '../../tenancy/index.ts';
import { conditionSql, dimensionSql } from './score-conditions.ts';
import { noScores, type ScoreSums, scoreOf } from './score-measures.ts';
import { type SumRow, sumScores } from './sum-scores.ts';

/** What is asked of scores beside, or without, the figures of calls. */
export type ScoresAsked = {
  readonly measures: readonly ScoreMeasure[];
  readonly groupBy: readonly string[];
  readonly where: readonly Condition[];
  /** Whether there are no measures of calls: then the scores decide the groups. */
  readonly isAlone: boolean;
  readonly order: { readonly measure: ScoreMeasure | undefined; readonly direction: 'asc' | 'desc' };
  readonly limit: number;
  readonly bucket: MetricsReply['bucket'];
  /** The window in epoch milliseconds, half-open. */
  readonly from: number;
  readonly to: number;
};

type Figures = MetricsReply['total'];
type Key = readonly (string | null)[];

/** Time zones are quarters of an hour apart; buckets of minutes are of UTC. */
const sliceOf = (bucket: MetricsReply['bucket']): number | null =>
  bucket === null ? null : /m$/.test(bucket) ? 1 : 15;

/** A reply with the figures of scores, instead of those of calls if the scores are alone. */
export async function addScores(
  ctx: Ctx,
  scope: EventScope,
  reply: MetricsReply,
  asked: ScoresAsked,
): Promise<MetricsReply> {
  const now = await readTable(ctx, scope, asked, stepsOf(reply));
  const before =
    reply.previous === undefined ? null : await readTable(ctx, scope, ...previousOf(asked, reply));
  const names = asked.measures.map((measure) => ({ measure, parsed: parseScoreMeasure(measure) }));
  const figures = (of: readonly Key[] | null, base: Figures | undefined): Figures => {
    const own = figuresOf(names, now.cells(of));
    const previous = before === null ? undefined : figuresOf(names, before.cells(of));
    return merge(asked.isAlone ? undefined : base, own, previous);
  };
  const groups = asked.isAlone
    ? ranked(now, asked).map((key) => ({ key: keyOf(asked.groupBy, key), values: {} }))
    : reply.groups;
  const kept = groups.map(({ key }) => asked.groupBy.map((name) => key[name] ?? null));
  const keptNames = new Set(kept.map((key) => JSON.stringify(key)));
  const rest = now.keys.filter((key) => !keptNames.has(JSON.stringify(key)));
  const others =
    asked.groupBy.length > 0 && rest.length + (asked.isAlone ? 0 : (reply.others?.groups ?? 0)) > 0;
  return {
    ...reply,
    groupBy: [...asked.groupBy],
    total: figures(null, reply.total),
    groups: groups.map((group, i) => ({
      key: group.key,
      ...figures([kept[i] ?? []], asked.isAlone ? undefined : (group as Figures)),
    })),
    others: others
      ? {
          groups: Math.max(rest.length, asked.isAlone ? 0 : (reply.others?.groups ?? 0)),
          ...figures(rest, reply.others ?? undefined),
        }
      : null,
  };
}

const keyOf = (groupBy: readonly string[], key: Key): Record<string, string | null> =>
  Object.fromEntries(groupBy.map((name, i) => [name, key[i] ?? null]));

const stepsOf = ({ steps }: MetricsReply): number[] => steps.map(({ start }) => parseInstant(start) ?? 0);

/** The window before, whose steps are as far from its start. */
function previousOf(asked: ScoresAsked, reply: MetricsReply): [ScoresAsked, number[]] {
  const length = asked.to - asked.from;
  return [
    { ...asked, from: asked.from - length, to: asked.from },
    stepsOf(reply).map((start) => start - length),
  ];
}

/** Sums by name, for all of a window and for each step. */
type Cells = {
  readonly all: ReadonlyMap<string, ScoreSums>;
  readonly steps: readonly ReadonlyMap<string, ScoreSums>[] | null;
};
type Table = { readonly keys: readonly Key[]; cells(of: readonly Key[] | null): Cells };

async function readTable(
  ctx: Ctx,
  scope: EventScope,
  asked: ScoresAsked,
  steps: readonly number[],
): Promise<Table> {
  const query = {
    names: [...new Set(asked.measures.map((measure) => parseScoreMeasure(measure).name))],
    from: asked.from,
    to: asked.to,
    where: asked.where.map(conditionSql),
    by: asked.groupBy.map(dimensionSql),
    sliceMinutes: sliceOf(asked.bucket),
  };
  const rows = (await ctx.db.read(sumScores, scope, query)).parse();
  const byKey = Map.groupBy(rows, ({ key }) => JSON.stringify(key));
  return {
    keys: [...byKey.values()].map(([row]) => row?.key ?? []),
    cells(of) {
      const own = of === null ? rows : of.flatMap((key) => byKey.get(JSON.stringify(key)) ?? []);
      return { all: add(own), steps: asked.bucket === null ? null : addSteps(own, steps) };
    },
  };
}

function add(rows: readonly SumRow[]): Map<string, ScoreSums> {
  const byName = new Map<string, ScoreSums>();
  for (const { name, category, count, sum } of rows) {
    const sums = byName.get(name) ?? noScores();
    byName.set(name, sums);
    sums.count += count;
    sums.sum += sum;
    if (category !== null) sums.categories.set(category, (sums.categories.get(category) ?? 0) + count);
  }
  return byName;
}

function addSteps(rows: readonly SumRow[], steps: readonly number[]): Map<string, ScoreSums>[] {
  const byStep: SumRow[][] = steps.map(() => []);
  for (const row of rows) {
    // A slice that begins before the window belongs to its first step.
    let step = steps.findLastIndex((start) => start <= (row.time ?? 0));
    if (step < 0) step = 0;
    byStep[step]?.push(row);
  }
  return byStep.map(add);
}

type Named = readonly { readonly measure: ScoreMeasure; readonly parsed: AskedScore }[];
type Plain = Pick<Figures, 'values' | 'series'>;
/** The figures of calls, which keep their count of calls without a price beside scores. */
type OfCalls = Plain & Pick<Figures, 'unpriced' | 'calls' | 'unpricedSeries'>;

function figuresOf(names: Named, { all, steps }: Cells): Plain {
  const values = Object.fromEntries(
    names.map(({ measure, parsed }) => [measure, scoreOf(parsed, all.get(parsed.name))]),
  );
  if (steps === null) return { values };
  const series = Object.fromEntries(
    names.map(({ measure, parsed }) => [
      measure,
      steps.map((step) => scoreOf(parsed, step.get(parsed.name))),
    ]),
  );
  return { values, series };
}

function merge(base: Figures | undefined, own: Plain, previous: Plain | undefined): Figures {
  return {
    ...mergePlain(base, own),
    ...(previous === undefined ? {} : { previous: mergePlain(base?.previous, previous) }),
  };
}

const mergePlain = (base: OfCalls | undefined, own: Plain): OfCalls => ({
  ...(base?.unpriced !== undefined && { unpriced: base.unpriced, calls: base.calls }),
  ...(base?.unpricedSeries && { unpricedSeries: base.unpricedSeries }),
  values: { ...base?.values, ...own.values },
  ...(own.series === undefined ? {} : { series: { ...base?.series, ...own.series } }),
});

/** The keys of the first groups; groups without a value come last. */
function ranked(table: Table, { order, limit, groupBy }: ScoresAsked): Key[] {
  if (groupBy.length === 0 || order.measure === undefined) return [];
  const parsed = parseScoreMeasure(order.measure);
  const sign = order.direction === 'desc' ? -1 : 1;
  const valued = table.keys.map((key) => ({
    key,
    value: scoreOf(parsed, table.cells([key]).all.get(parsed.name)),
  }));
  return valued
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return sign * (a.value - b.value) || (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1);
    })
    .slice(0, limit)
    .map(({ key }) => key);
}
