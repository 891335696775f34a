const narrowest = 6;

/**
 * Column widths that sum to at most `available` if they can. The widest shrinkable column shrinks first, none below
 * six characters. If that is not enough, other columns shrink to their figures, which are never cut off, so that only
 * their headings are.
 * @param figures width of the widest cell of each column, without its heading
 */
export const fitWidths = (
  natural: readonly number[],
  { shrinkable, figures }: { readonly shrinkable: readonly boolean[]; readonly figures: readonly number[] },
  available: number,
): number[] => {
  const widths = shrink(
    natural,
    shrinkable.map((can, i) => (can ? narrowest : (natural[i] ?? 0))),
    available,
  );
  return shrink(
    widths,
    widths.map((width, i) => (shrinkable[i] ? width : Math.max(narrowest, figures[i] ?? 0))),
    available,
  );
};

/** The widest first, none below its floor. */
const shrink = (natural: readonly number[], floors: readonly number[], available: number): number[] => {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, width] of widths.entries())
      if (width > (floors[index] ?? 0) && width > (widths[widest] ?? 0)) widest = index;
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** `text` cut to `width` terminal columns, ending in … if it was longer. */
export const truncate = (text: string, width: number): string => {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const size = Bun.stringWidth(segment);
    if (used + size > width - 1) break;
    kept += segment;
    used += size;
  }
  return `${kept.trimEnd()}…`;
};
