/** Characters that every id shows at least: its kind and the first eight digits, or eight digits. */
const least = (id: string): number => id.indexOf('_') + 9;

/** How many characters of each id tell it apart from the others. */
export const shortLengths = (ids: readonly string[]): number[] => {
  const sorted = ids.toSorted();
  const places = new Map(sorted.map((id, place) => [id, place]));
  return ids.map((id) => {
    const place = places.get(id) ?? 0;
    const shared = [sorted[place - 1], sorted[place + 1]].map((other) => commonStart(id, other ?? ''));
    return Math.min(id.length, Math.max(least(id), ...shared.map((length) => length + 1)));
  });
};

const commonStart = (a: string, b: string): number => {
  if (a === b) return 0;
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
};
