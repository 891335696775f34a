import type { SeriesPart, Sum } from '../../../core/events/index.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { Span } from '../judge/minutes.ts';
import { toQuery } from '../judge/plan-reads.ts';
import type { RuleShape } from '../judge/shape-of.ts';
import type { Mark } from './round.ts';
import type { Marked, Steps } from './want.ts';

/** Sums that change with every call, however it is corrected, and with every check of a guardrail. */
const SUMS: readonly Sum[] = [
  'requests',
  'errors',
  'timeouts',
  'rate_limited',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'latency_us',
  'ttft_us',
  'guardrail_checks',
  'guardrail_blocks',
];
const ALL_CALLS: RuleShape = {
  ...{ of: 'calls', width: SUMS.length, times: 0 },
  calls: { filters: {}, groupBy: null, sums: SUMS, times: [] },
};

/** Below 2^53 with any sum, which is at most 2^53 itself. */
const MODULUS = 2_147_483_647;

/** Fingerprints of minutes by what they are of; a minute without a mark has no calls or scores. */
export type Prints = Readonly<Record<RuleShape['of'], ReadonlyMap<number, number>>>;
/** Minutes by what changed in them. */
export type Late = Readonly<Record<RuleShape['of'], readonly number[]>>;

/** What else than calls rules watch: scores by their names, and runs. */
export type Watching = { readonly names: readonly string[]; readonly runs: boolean };

/** Reads the fingerprint of each minute of a span. */
export function* readPrints(from: number, to: number, { names, runs }: Watching): Steps<Prints> {
  const range = { from: from * MINUTE_MS, to: to * MINUTE_MS, step: MINUTE_MS, shapes: [0] };
  const series = yield { kind: 'read', query: toQuery([ALL_CALLS], [range]) };
  const parts = series.kind === 'series' ? (JSON.parse(series.text) as SeriesPart[]) : [];
  const none = new Map<number, number>();
  return {
    calls: callPrints(parts),
    scores: names.length === 0 ? none : yield* readMinutes({ of: 'scores', names }, { from, to }),
    runs: runs ? yield* readMinutes({ of: 'runs' }, { from, to }) : none,
  };
}

function* readMinutes(of: Marked, { from, to }: Span): Steps<Map<number, number>> {
  const given = yield { kind: 'marks', of, spans: [{ from, to, step: 1 }] };
  const numberOf = (print: string): number =>
    [...print].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % MODULUS, 7);
  return new Map(
    (given.kind === 'marks' ? given.marks : []).map(({ from, print }) => [from, numberOf(print)]),
  );
}

function callPrints(parts: readonly SeriesPart[]): Map<number, number> {
  const width = SUMS.length + 2;
  const prints = new Map<number, number>();
  for (const { cells } of parts)
    for (let cell = 0; cell < cells.length; cell += width) {
      const sums = cells.slice(cell + 2, cell + width);
      prints.set(
        cells[cell] as number,
        sums.reduce((print, sum) => (print * 31 + (sum % MODULUS)) % MODULUS, 7),
      );
    }
  return prints;
}

/** The minutes of a span whose calls, runs or scores are others now than `marks` say. */
export function lateMinutes(
  marks: readonly Mark[],
  { calls, scores, runs }: Prints,
  { from, to }: Span,
): Late {
  const known = marks.filter(([minute]) => minute >= from && minute < to);
  return {
    calls: known.flatMap(([minute, print]) => ((calls.get(minute) ?? 0) === print ? [] : [minute])),
    scores: known.flatMap(([minute, , print = 0]) => ((scores.get(minute) ?? 0) === print ? [] : [minute])),
    runs: known.flatMap(([minute, , , print = 0]) => ((runs.get(minute) ?? 0) === print ? [] : [minute])),
  };
}

/** The marks of each minute of a span. */
export const toMarks = ({ calls, scores, runs }: Prints, { from, to }: Span): Mark[] =>
  Array.from({ length: to - from }, (_, i): Mark => {
    const minute = from + i;
    const [call = 0, score, run] = [calls.get(minute), scores.get(minute), runs.get(minute)];
    if (run !== undefined) return [minute, call, score ?? 0, run];
    return score === undefined ? [minute, call] : [minute, call, score];
  });
