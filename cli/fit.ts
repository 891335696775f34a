const narrowest = 6;

/**
 * Column widths that sum to at most `available`. The widest shrinkable column shrinks first, none below six
 * characters. Other columns keep their width, so that figures are never cut off.
 */
export const fitWidths = (
  natural: readonly number[],
  shrinkable: readonly boolean[],
  available: number,
): number[] => {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, width] of widths.entries())
      if (shrinkable[index] && width > narrowest && width > (widths[widest] ?? 0)) widest = index;
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
