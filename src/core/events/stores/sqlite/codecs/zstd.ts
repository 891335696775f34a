const LEVEL = 3;
/** Decompressing takes longer than reading, so it has to save at least 3 %. */
const WORTH = 0.97;

/** Compresses bytes with zstd; undefined where that saves less than 3 %. */
export function compressIfWorth(bytes: Uint8Array<ArrayBuffer>): Uint8Array | undefined {
  const compressed = Bun.zstdCompressSync(bytes, { level: LEVEL });
  return compressed.length <= bytes.length * WORTH ? compressed : undefined;
}

/** Decompresses what `compressIfWorth` compressed. The result has an aligned buffer of its own. */
export const decompress = (bytes: Uint8Array): Uint8Array =>
  Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>);
