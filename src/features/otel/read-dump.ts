import { gunzipSync } from 'node:zlib';
import { AppError, badRequest, tooLarge } from '../../errors.ts';
import { type Encoding, readRequest } from './read-request.ts';
import type { SpanBatch } from './span.ts';

const MAX_BYTES = 32 * 1_048_576;
/** So many bytes tell text from Protobuf, which is full of control characters. */
const LOOKED_AT = 1_000;

/**
 * The spans of a request that was written to a file: JSON, JSON by the line (the Collector's file
 * exporter) or Protobuf, gzipped or not. What it is shows from its first bytes.
 * @throws AppError 400 for what can't be decoded, with the line where there are several, 413 for more than
 *   32 MB, as `readRequest` does
 */
export function readDump(bytes: Uint8Array, now: number): { batch: SpanBatch; encoding: Encoding } {
  const raw = inflate(bytes);
  if (!isText(raw)) return { batch: readRequest(raw, 'protobuf', now), encoding: 'protobuf' };
  const lines = jsonLines(raw);
  const spans: SpanBatch['spans'][number][] = [];
  const refused: SpanBatch['refused'][number][] = [];
  for (const [at, line] of lines.entries()) {
    const batch = lines.length === 1 ? readRequest(line, 'json', now) : readLine(line, at + 1, now);
    const before = spans.length + refused.length;
    spans.push(...batch.spans);
    refused.push(...batch.refused.map((one) => ({ ...one, line: one.line + before })));
  }
  return { batch: { spans, refused }, encoding: 'json' };
}

function inflate(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_BYTES) throw tooLarge('The file is over the limit of 32 MB');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    const isLarge = (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isLarge ? tooLarge('The file is over the limit of 32 MB') : badRequest('The gzip file is damaged');
  }
}

/** Tags and lengths of Protobuf messages are control characters; a body begins with one that is white space. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, LOOKED_AT).every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);

/** A request a line where the first line is a whole one, else the whole text. */
function jsonLines(bytes: Uint8Array): Uint8Array[] {
  const lines = new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const isLines = lines.length > 1 && /^\s*\{.*\}\s*$/.test(first);
  return isLines ? lines.map((line) => new TextEncoder().encode(line)) : [bytes];
}

function readLine(line: Uint8Array, number: number, now: number): SpanBatch {
  try {
    return readRequest(line, 'json', now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.status, `Line ${number}: ${error.message}`, { cause: error });
  }
}
