/**
 * Whether two different texts differ by one edit: a character too many, missing, another one, or two swapped. Linear, so
 * that hostile texts cost no more than others.
 * @example oneEditApart('latncy_ms', 'latency_ms') // true
 */
export function oneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (at === long.length) return false;
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return short.slice(at + (isSwapped ? 2 : 1)) === long.slice(at + (isSwapped ? 2 : 1));
}
