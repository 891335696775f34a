/**
 * Where an instant lies along a time axis of equally wide buckets: 0 at the start of the first, 1 at the end of the
 * last, clamped to both. Buckets may differ in length, such as a day of 23 hours.
 * @param at epoch milliseconds
 * @param starts starts of the buckets, ascending
 * @param end end of the last bucket
 */
export function placeInTime(at: number, starts: readonly number[], end: number): number {
  const count = starts.length;
  const after = starts.findIndex((start) => start > at);
  const bucket = after === -1 ? count - 1 : after - 1;
  if (bucket < 0) return 0;
  const start = starts[bucket] ?? at;
  const length = (starts[bucket + 1] ?? end) - start;
  return Math.min(1, (bucket + (length <= 0 ? 0 : (at - start) / length)) / count);
}

/** Things along an axis, in groups whose first members are at least `apart` from each other; both as fractions. */
export function groupNear<T extends { readonly place: number }>(things: readonly T[], apart: number): T[][] {
  const groups: T[][] = [];
  for (const thing of things.toSorted((a, b) => a.place - b.place)) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && thing.place - last[0].place < apart) last.push(thing);
    else groups.push([thing]);
  }
  return groups;
}
