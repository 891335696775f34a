import { gunzipSync } from 'node:zlib';
import { AppError, badRequest, tooLarge } from '../../../errors.ts';
import { MAX_SPANS } from './otlp-messages.ts';
import { type Encoding, readRequest } from './read-request.ts';
import type { SpanBatch } from './span.ts';

const MB = 1_048_576;

/** `bytes`: inflated; `spans`: of all lines together, refused ones included. */
type DumpLimits = { readonly bytes: number; readonly spans: number };
/** Of a file on one's own machine. */
const OWN_FILE: DumpLimits = { bytes: 32 * MB, spans: Number.POSITIVE_INFINITY };
/** Of a file that was sent to the server: as for a request. */
export const SENT_FILE: DumpLimits = { bytes: 4 * MB, spans: MAX_SPANS };
/** So many bytes tell text from Protobuf, which is full of control characters. */
const LOOKED_AT = 1_000;

/**
 * The spans of a request that was written to a file: JSON, JSON by the line (the Collector's file
 * exporter) or Protobuf, gzipped or not. What it is shows from its first bytes.
 * @param now epoch milliseconds of the receipt
 * @throws AppError 400 for what can't be decoded, with the line where there are several, 413 for what is over
 *   the limits and as `readRequest` does
 */
export function readDump(
  bytes: Uint8Array,
  now: number,
  limits = OWN_FILE,
): { batch: SpanBatch; encoding: Encoding } {
  const raw = inflate(bytes, limits.bytes);
  if (!isText(raw)) return { batch: readRequest(raw, 'protobuf', now), encoding: 'protobuf' };
  const lines = jsonLines(raw);
  const spans: SpanBatch['spans'][number][] = [];
  const refused: SpanBatch['refused'][number][] = [];
  for (const [at, line] of lines.entries()) {
    const batch = lines.length === 1 ? readRequest(line, 'json', now) : readLine(line, at + 1, now);
    const before = spans.length + refused.length;
    if (before + batch.spans.length + batch.refused.length > limits.spans)
      throw tooLarge(`The file is over the limit of ${limits.spans} spans`);
    spans.push(...batch.spans);
    refused.push(...batch.refused.map((one) => ({ ...one, line: one.line + before })));
  }
  return { batch: { spans, refused }, encoding: 'json' };
}

function inflate(bytes: Uint8Array, most: number): Uint8Array {
  const over = `The file is over the limit of ${most / MB} MB`;
  if (bytes.length > most) throw tooLarge(over);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (cause) {
    const isLarge = (cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw isLarge ? tooLarge(over) : badRequest('The gzip file is damaged');
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
