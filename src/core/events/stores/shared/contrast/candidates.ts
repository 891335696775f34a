import { type Comparison, scoreOf, shiftOf } from '../../../../../lib/shift.ts';
import type { ContrastDimension, ContrastGroup, ContrastValue, Side, Sides } from '../../../contrast.ts';
import { CONTRAST_DIMENSIONS } from '../../../contrast.ts';
import { OTHER } from '../../../metrics.ts';
import { createPair, type Tally, toSides } from './tally.ts';

/** Most candidates: bits of a mask. */
const MAX_CANDIDATES = 24;
/** Candidates of one dimension. */
const MAX_EACH = 3;
/** Tags that are listed, by the largest change of one of their values. */
const MAX_TAGS = 8;

export type Candidate = { readonly dimension: ContrastDimension; readonly value: string };
type Scored = { readonly value: ContrastValue; readonly score: number };

/** The dimensions with the values that changed most, and the values that can be causes. */
export function chooseCandidates(
  tally: Tally,
  comparison: Comparison,
  most: number,
): { readonly groups: ContrastGroup[]; readonly candidates: Candidate[] } {
  const scored = [...tally.values]
    .filter(
      ([dimension]) => dimension.startsWith('tag:') || CONTRAST_DIMENSIONS.some((one) => one === dimension),
    )
    .map(([dimension, values]) => ({ dimension, values: scoreValues(values, comparison) }));
  const tags = scored
    .filter(({ dimension }) => dimension.startsWith('tag:'))
    .sort((a, b) => bestOf(b) - bestOf(a));
  const kept = [...scored.filter((one) => !tags.includes(one)), ...tags.slice(0, MAX_TAGS)];
  const groups = kept.map(({ dimension, values }) => toGroup(dimension, values, comparison.totals, most));
  return { groups, candidates: pick(kept, comparison.totals) };
}

const bestOf = ({ values }: { readonly values: readonly Scored[] }): number => values[0]?.score ?? 0;

function scoreValues(values: ReadonlyMap<string, Float64Array>, comparison: Comparison): readonly Scored[] {
  const shift = shiftOf(comparison);
  const scored = [...values].map(([value, pair]) => {
    const sides = toSides(pair);
    return { value: { value, ...sides }, score: scoreOf(shift(sides)) };
  });
  return scored.sort((a, b) => b.score - a.score || (String(a.value.value) < String(b.value.value) ? -1 : 1));
}

function toGroup(
  dimension: ContrastDimension,
  scored: readonly Scored[],
  totals: Sides,
  most: number,
): ContrastGroup {
  const listed = scored.slice(0, most).map(({ value }) => value);
  const rest = scored.slice(most).map(({ value }) => value);
  const all = sumSides(scored.map(({ value }) => value));
  const nobody = lessSides(totals, all);
  const without = nobody.before.calls + nobody.after.calls > 0 ? [{ value: null, ...nobody }] : [];
  return { dimension, values: [...listed, ...without], others: { values: rest.length, ...sumSides(rest) } };
}

const sumSides = (all: readonly Sides[]): Sides => ({
  before: sumSide(all.map(({ before }) => before)),
  after: sumSide(all.map(({ after }) => after)),
});

function sumSide(sides: readonly Side[]): Side {
  const sum = createPair();
  for (const { calls, part, whole } of sides) {
    sum[0] = (sum[0] as number) + calls;
    sum[1] = (sum[1] as number) + part;
    sum[2] = (sum[2] as number) + whole;
  }
  return toSides(sum).before;
}

const lessSide = (a: Side, b: Side): Side => ({
  calls: a.calls - b.calls,
  part: a.part - b.part,
  whole: a.whole - b.whole,
});
const lessSides = (a: Sides, b: Sides): Sides => ({
  before: lessSide(a.before, b.before),
  after: lessSide(a.after, b.after),
});

type Values = { readonly dimension: ContrastDimension; readonly values: readonly Scored[] };

/** The best value of each dimension, then the second ones, then the third. Values that all calls have explain nothing. */
function pick(dimensions: readonly Values[], { before, after }: Sides): Candidate[] {
  const isAll = ({ value }: Scored): boolean =>
    value.before.calls === before.calls && value.after.calls === after.calls;
  const ranked = dimensions.flatMap(({ dimension, values }) =>
    values
      .filter((one) => one.score > 0 && one.value.value !== OTHER && !isAll(one))
      .slice(0, MAX_EACH)
      .map((one, rank) => ({ dimension, value: one.value.value ?? '', score: one.score, rank })),
  );
  return ranked
    .sort((a, b) => a.rank - b.rank || b.score - a.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ dimension, value }) => ({ dimension, value }));
}
