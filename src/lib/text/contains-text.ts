/** Engines compare a part with each place of a text: the time is the product of the lengths, seconds for long ones. */
const SHORT = 64;

/** Whether a text contains a part, in a time that grows with the sum of their lengths (Knuth, Morris and Pratt). */
export function containsText(text: string, part: string): boolean {
  if (part.length <= SHORT) return text.includes(part);
  if (part.length > text.length) return false;
  const borders = bordersOf(part);
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched++;
    if (matched === part.length) return true;
  }
  return false;
}

/** For each prefix, the length of its longest proper prefix that also ends it. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let matched = 0;
  for (let i = 1; i < part.length; i++) {
    const code = part.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === code) matched++;
    borders[i] = matched;
  }
  return borders;
}
