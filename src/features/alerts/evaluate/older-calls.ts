import { DAY, HOUR, type Span } from '../judge/minutes.ts';
import { REACH } from './round.ts';
import type { Marked, SpanMark, Steps } from './want.ts';

/** How often older calls are compared, in minutes. */
const EVERY = 10;

/**
 * Notices changes of calls or scores that are too old to be judged again: events that come very late, new prices,
 * deletions. What was decided stays, but sums that are kept for later minutes must be read again.
 */
export class OlderCalls {
  #former: { readonly spans: OlderSpans; readonly marks: ReadonlyMap<string, SpanMark> } | null = null;

  /** The times since `from` whose calls or scores are others than they were; it looks every ten minutes. */
  *changes(of: Marked, at: number, from: number): Steps<Span[]> {
    const former = this.#former;
    if (former !== null && at % EVERY !== 0) return [];
    const end = Math.floor((at - REACH) / HOUR) * HOUR;
    const today = Math.floor(end / DAY) * DAY;
    // The hours of yesterday are also a day, so that no change is missed at midnight.
    const spans: OlderSpans = {
      days: { from: Math.min(Math.floor(from / DAY) * DAY, today), to: today },
      hours: { from: today - DAY, to: end },
    };
    const wanted = [
      { ...spans.days, step: DAY },
      { ...spans.hours, step: HOUR },
    ] as const;
    const given = yield { kind: 'marks', of, spans: wanted };
    const marks = new Map((given.kind === 'marks' ? given.marks : []).map((mark) => [keyOf(mark), mark]));
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

/** Whole days, and whole hours of the newest of them and later. */
type OlderSpans = { readonly days: Span; readonly hours: Span };

const isIn = ({ days, hours }: OlderSpans, { from, to }: Span): boolean => {
  const span = to - from === DAY ? days : hours;
  return from >= span.from && to <= span.to;
};
const keyOf = ({ from, to }: Span): string => `${from} ${to}`;
