import { gunzipSync } from 'node:zlib';
import { AppError, badRequest, tooLarge } from '../../../errors.ts';
import { MAX_INSPECTED_BYTES } from '../contract.ts';
import { MAX_SPANS } from './otlp-messages.ts';
import { type Encoding, readRequest } from './read-request.ts';
import type { SpanBatch } from './span.ts';

const MB = 1_048_576;

/** `bytes`: decompressed; `spans`: in all lines, including refused ones. */
type DumpLimits = { readonly bytes: number; readonly spans: number };
/** Limits for a local file. */
const OWN_FILE: DumpLimits = { bytes: 32 * MB, spans: Number.POSITIVE_INFINITY };
/** Limits for a file sent to the server; the same as for a request. */
export const SENT_FILE: DumpLimits = { bytes: MAX_INSPECTED_BYTES, spans: MAX_SPANS };
/** Bytes to check for control characters, which distinguish protobuf from text. */
const LOOKED_AT = 1_000;

/**
 * Reads the spans of a recorded request: JSON, one JSON request per line (the Collector's file exporter) or protobuf,
 * gzip or plain. The first bytes show the format.
 * @param now epoch milliseconds of the receipt
 * @throws AppError 400 for a file that cannot be decoded (with the line if there are several), 413 for one over the
 *   limits, and the errors of `readRequest`
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

/** Tags and lengths in protobuf are control characters; only the first one of a body is white space. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, LOOKED_AT).every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);

/** One request per line if the first line is a complete one, otherwise the whole text. */
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
