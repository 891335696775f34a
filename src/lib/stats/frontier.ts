/** Something that costs and is worth something. `value`: higher is better. */
export type Priced = { readonly cost: number; readonly value: number };

/**
 * Those that are best at their cost: no other costs at most as much and is better, or costs less and is as good.
 * @returns their places, in ascending order
 */
export const frontier = (points: readonly Priced[]): number[] =>
  points.flatMap((point, place) => (points.some((other) => beats(other, point)) ? [] : [place]));

const beats = (a: Priced, b: Priced): boolean =>
  a.cost <= b.cost && a.value >= b.value && (a.cost < b.cost || a.value > b.value);
