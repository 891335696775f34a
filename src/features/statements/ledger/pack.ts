const text = new TextDecoder();

/** JSON, compressed, as a blob of the database. */
export const pack = (value: unknown): Buffer => Bun.zstdCompressSync(JSON.stringify(value));

export const unpack = <T>(blob: ArrayBuffer | Uint8Array): T =>
  JSON.parse(text.decode(Bun.zstdDecompressSync(blob))) as T;
