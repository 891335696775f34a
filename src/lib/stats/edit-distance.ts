const WORD = 32;

/**
 * The least number of insertions, deletions and replacements of UTF-16 units that turn one text into the other. Takes
 * `length × length / 32` steps.
 *
 * @see Gene Myers, A fast bit-vector algorithm for approximate string matching (1999), in blocks as by Heikki Hyyrö (2003)
 */
export function editDistance(a: string, b: string): number {
  const [pattern, text] = a.length <= b.length ? [a, b] : [b, a];
  if (pattern.length === 0) return text.length;
  // Above the first row, each step to the right adds one.
  let row = new Int8Array(text.length).fill(1);
  for (let start = 0; start < pattern.length; start += WORD)
    row = rowBelow(row, pattern.slice(start, start + WORD), text);
  return row.reduce((sum, difference) => sum + difference, pattern.length);
}

/** The horizontal differences below a block of the pattern, from those above it. */
function rowBelow(above: Int8Array, block: string, text: string): Int8Array<ArrayBuffer> {
  const below = new Int8Array(text.length);
  const places = new Map<number, number>();
  for (let i = 0; i < block.length; i++) {
    const unit = block.charCodeAt(i);
    places.set(unit, (places.get(unit) ?? 0) | (1 << i));
  }
  const top = block.length - 1;
  let up = -1;
  let down = 0;
  for (let i = 0; i < text.length; i++) {
    const entering = above[i] as number;
    let equal = places.get(text.charCodeAt(i)) ?? 0;
    const vertical = equal | down;
    if (entering < 0) equal |= 1;
    const horizontal = (((equal & up) + up) ^ up) | equal;
    let plus = down | ~(horizontal | up);
    let minus = up & horizontal;
    below[i] = ((plus >>> top) & 1) - ((minus >>> top) & 1);
    plus = (plus << 1) | (entering > 0 ? 1 : 0);
    minus = (minus << 1) | (entering < 0 ? 1 : 0);
    up = minus | ~(vertical | plus);
    down = plus & vertical;
  }
  return below;
}
