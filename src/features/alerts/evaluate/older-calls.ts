import type { eventsOf, Measure } from '../../../core/events/index.ts';
import type { ofProjects } from '../../../core/tenancy/index.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { DAY, HOUR, type Span } from '../judge/minutes.ts';
import { REACH } from './round.ts';
import type { OlderMark, OlderSpans, Steps } from './want.ts';

/** How often older calls are compared, in minutes. */
const EVERY = 10;

/**
 * Notices changes of calls that are too old to be judged again: events that come very late, new prices, deletions. What
 * was decided stays, but sums that are kept for later minutes must be read again.
 */
export class OlderCalls {
  #former: { readonly spans: OlderSpans; readonly marks: ReadonlyMap<string, OlderMark> } | null = null;

  /** The times since `from` whose calls are others than they were; it looks every ten minutes. */
  *changes(at: number, from: number): Steps<Span[]> {
    const former = this.#former;
    if (former !== null && at % EVERY !== 0) return [];
    const end = Math.floor((at - REACH) / HOUR) * HOUR;
    const today = Math.floor(end / DAY) * DAY;
    // The hours of yesterday are also a day, so that no change is missed at midnight.
    const spans: OlderSpans = {
      days: { from: Math.min(Math.floor(from / DAY) * DAY, today), to: today },
      hours: { from: today - DAY, to: end },
    };
    const given = yield { kind: 'older', spans };
    const marks = new Map((given.kind === 'older' ? given.marks : []).map((mark) => [keyOf(mark), mark]));
    this.#former = { spans, marks };
    if (former === null) return [];
    const keys = new Set([...marks.keys(), ...former.marks.keys()]);
    return [...keys].flatMap((key): Span[] => {
      const [was, is] = [former.marks.get(key), marks.get(key)];
      const mark = was ?? is;
      const isKnown = mark !== undefined && isIn(former.spans, mark) && isIn(spans, mark);
      return isKnown && was?.print !== is?.print ? [{ from: mark.from, to: mark.to }] : [];
    });
  }
}

const isIn = ({ days, hours }: OlderSpans, { from, to }: Span): boolean => {
  const span = to - from === DAY ? days : hours;
  return from >= span.from && to <= span.to;
};
const keyOf = ({ from, to }: Span): string => `${from} ${to}`;

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
] as const satisfies readonly Measure[];

/** Reads fingerprints of days and hours from the roll-ups. */
export async function readOlderMarks(
  events: ReturnType<typeof eventsOf>,
  scope: ReturnType<typeof ofProjects>,
  { days, hours }: OlderSpans,
): Promise<OlderMark[]> {
  const read = async ({ from, to }: Span, length: number): Promise<OlderMark[]> => {
    if (from >= to) return [];
    const window = { from: from * MINUTE_MS, to: to * MINUTE_MS };
    const bucket = length === DAY ? 'day' : 'hour';
    const { marks } = await events.metrics(scope, { marks: { measures: MEASURES, window, bucket } });
    return marks.flatMap(({ time, ...sums }) => {
      if (time === null) return [];
      const start = time / MINUTE_MS;
      return [{ from: start, to: start + length, print: MEASURES.map((name) => sums[name]).join(' ') }];
    });
  };
  return [...(await read(days, DAY)), ...(await read(hours, HOUR))];
}
