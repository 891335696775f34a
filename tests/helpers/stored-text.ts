import type { SqlValue } from '../../src/db/connection.ts';
import { readSnapshot } from './stored-events.ts';

/**
 * The tables of a database file that contain a text in any value: in texts, in the bytes of blobs, and in the content
 * of all zstd frames within blobs. @param text ASCII
 */
export function tablesWithText(path: string, text: string): string[] {
  const wanted = Buffer.from(text);
  return readSnapshot(path, (query) => {
    const tables = query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").flat();
    return tables.map(String).filter((table) =>
      query(`SELECT * FROM ${table}`)
        .flat()
        .some((value) => hasText(value, wanted)),
    );
  });
}

function hasText(value: SqlValue, wanted: Buffer): boolean {
  if (typeof value === 'string') return value.includes(wanted.toString());
  if (value instanceof ArrayBuffer) return isIn(Buffer.from(value), wanted);
  return value instanceof Uint8Array && isIn(Buffer.from(value), wanted);
}

const isIn = (bytes: Buffer, wanted: Buffer): boolean =>
  bytes.includes(wanted) || framesIn(bytes).some((content) => isIn(content, wanted));

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** The decompressed content of all zstd frames in some bytes, at any offset. */
function framesIn(bytes: Buffer): Buffer[] {
  const contents: Buffer[] = [];
  for (let at = bytes.indexOf(MAGIC); at !== -1; at = bytes.indexOf(MAGIC, at + 1)) {
    const end = endOfFrame(bytes, at);
    const content = end === null ? null : decompressed(bytes.subarray(at, end));
    if (content !== null) contents.push(content);
  }
  return contents;
}

/** Null for bytes that only begin like a frame. */
function decompressed(frame: Buffer): Buffer | null {
  try {
    return Bun.zstdDecompressSync(frame);
  } catch {
    return null;
  }
}

/** The end of a zstd frame (RFC 8878); null if there is none at `at`, although its first bytes are. */
function endOfFrame(bytes: Buffer, at: number): number | null {
  const descriptor = bytes[at + 4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const windowBytes = isSingleSegment ? 0 : 1;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  let next = at + 5 + windowBytes + dictionaryBytes + sizeBytes;
  for (;;) {
    if (next + 3 > bytes.length) return null;
    const block = bytes.readUIntLE(next, 3);
    const isRunLength = ((block >> 1) & 3) === 1;
    next += 3 + (isRunLength ? 1 : block >> 3);
    if ((block & 1) === 1) break;
  }
  const end = next + ((descriptor & 4) === 0 ? 0 : 4);
  return end <= bytes.length ? end : null;
}
