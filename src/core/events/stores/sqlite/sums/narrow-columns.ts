/** Numbers in as few bytes as the largest needs. */
export type Values = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Column types, widest first, so that each column in a blob is aligned. */
export const KINDS = [
  { bytes: 8, of: Float64Array },
  { bytes: 4, of: Uint32Array },
  { bytes: 2, of: Uint16Array },
  { bytes: 1, of: Uint8Array },
] as const;

/** Bytes per value for whole numbers; 8 if one is negative. */
export function widthFor(values: Float64Array): 1 | 2 | 4 | 8 {
  let max = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < 0) return 8;
    if (value > max) max = value;
  }
  return max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 32 ? 4 : 8;
}

/** Header size: length of the columns (4 bytes) and the width of each; a multiple of 8. */
const HEADER = 16;

/** Encodes up to twelve columns of equal length as a blob. */
export function encodeColumns(columns: readonly Float64Array[]): Uint8Array {
  const count = columns[0]?.length ?? 0;
  const widths = columns.map(widthFor);
  const blob = new Uint8Array(HEADER + count * widths.reduce<number>((sum, width) => sum + width, 0));
  new DataView(blob.buffer).setUint32(0, count, true);
  blob.set(widths, 4);
  for (const [place, values] of decodeColumns(blob.buffer).entries()) {
    values.set(columns[place] as Float64Array);
  }
  return blob;
}

/** Decodes `encodeColumns` without copying. */
export function decodeColumns(buffer: ArrayBuffer): Values[] {
  const count = new DataView(buffer).getUint32(0, true);
  const widths = new Uint8Array(buffer, 4, HEADER - 4);
  const columns: Values[] = [];
  let at = HEADER;
  for (const { bytes, of } of KINDS) {
    for (const [place, width] of widths.entries()) {
      if (width !== bytes) continue;
      columns[place] = new of(buffer, at, count);
      at += bytes * count;
    }
  }
  return columns;
}
