const plain = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** A bound of a bin in milliseconds: `250 ms`, `1.25 s`, `2.1 min`. */
export const boundText = (ms: number): string => {
  if (ms < 1_000) return `${plain(ms)} ms`;
  if (ms < 120_000) return `${plain(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${plain(ms / 60_000)} min` : `${plain(ms / 3_600_000)} h`;
};

/** A bin by its bounds: `800 ms – 1 s`. */
export const binText = (bounds: readonly number[], bin: number): string =>
  `${boundText(bounds[bin] ?? 0)} – ${boundText(bounds[bin + 1] ?? 0)}`;
