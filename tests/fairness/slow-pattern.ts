/** A pattern of RE2 for whose states the fast matcher has no room: the slow one takes 50 µs a character. */
export const SLOW_PATTERN = `(?:(a|b)*a[ab]{900}(x|y|[^b]$)|b[ab]{950}a[^ab])|a[ab]{999}z`;

/** A text of a and b in an order without a pattern. */
export function slowText(length: number): string {
  let [text, state] = ['', 1];
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    text += (state >> 16) & 1 ? 'a' : 'b';
  }
  return text;
}
