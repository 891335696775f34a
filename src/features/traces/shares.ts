import type { Segment } from './critical-path.ts';
import type { Spans } from './trace-tree.ts';

/** Spans of one model or name together. `amount` is in the unit of the figure: milliseconds or dollars. */
export type Share = {
  readonly name: string;
  readonly kind: string;
  readonly spans: number;
  readonly amount: number;
  /** Of the whole, 0 to 1. */
  readonly share: number;
  /** The span with most of it. */
  readonly most: number;
};

/** Calls are told apart by model, other spans by name. */
const subjectOf = ({ kind, model, name }: Spans, place: number): string =>
  (kind[place] === 'llm' || kind[place] === 'embedding' ? model[place] : null) || name[place] || 'unnamed';

/** Where the time of a trace went, the longest first. Time in no span is named so. */
export function timeShares(spans: Spans, segments: readonly Segment[]): Share[] {
  const bySpan = new Map<number, number>();
  for (const { place, from, to } of segments) bySpan.set(place, (bySpan.get(place) ?? 0) + to - from);
  return sharesOf(spans, bySpan);
}

/** What a trace's cost was spent on, the highest first. Spans that cost nothing are left out. */
export function costShares(spans: Spans): Share[] {
  const bySpan = new Map<number, number>();
  for (const [place, cost] of ownCosts(spans).entries()) if (cost > 0) bySpan.set(place, cost);
  return sharesOf(spans, bySpan);
}

/** The cost of each span without those below it. Nano-dollars are exact, sums of dollars are not. */
export function ownCosts({ cost_usd, below }: Spans): number[] {
  const nano = cost_usd.map((usd) => Math.round(usd * 1e9));
  return nano.map((whole, place) => {
    const end = place + 1 + (below[place] ?? 0);
    let own = whole;
    for (let child = place + 1; child < end; child += 1 + (below[child] ?? 0)) own -= nano[child] ?? 0;
    return own / 1e9;
  });
}

function sharesOf(spans: Spans, bySpan: ReadonlyMap<number, number>): Share[] {
  const whole = [...bySpan.values()].reduce((sum, amount) => sum + amount, 0);
  const groups = Map.groupBy(bySpan, ([place]) =>
    place < 0 ? '' : `${spans.kind[place]}\0${subjectOf(spans, place)}`,
  );
  return [...groups.values()]
    .map((own): Share => {
      const amount = own.reduce((sum, [, part]) => sum + part, 0);
      const [most] = own.reduce((a, b) => (b[1] > a[1] ? b : a));
      return {
        name: most < 0 ? 'between spans' : subjectOf(spans, most),
        kind: spans.kind[most] ?? 'span',
        spans: own.length,
        amount,
        share: whole === 0 ? 0 : amount / whole,
        most,
      };
    })
    .sort((a, b) => b.amount - a.amount);
}
