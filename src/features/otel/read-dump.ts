import { gunzipSync } from 'node:zlib';
import { badRequest, tooLarge } from '../../errors.ts';
import { type Encoding, readRequest } from './read-request.ts';
import type { SpanBatch } from './span.ts';

const MAX_BYTES = 32 * 1_048_576;

/**
 * The spans of a request that was written to a file: JSON, JSON by the line (the Collector's file
 * exporter) or Protobuf, gzipped or not. What it is shows from its first bytes.
 * @throws AppError 400 for what can't be decoded, 413 for more than 32 MB, as `readRequest` does
 */
export function readDump(bytes: Uint8Array, now: number): { batch: SpanBatch; encoding: Encoding } {
  const raw = inflate(bytes);
  const isText = /^\s*\{/.test(new TextDecoder().decode(raw.subarray(0, 100)));
  if (!isText) return { batch: readRequest(raw, 'protobuf', now), encoding: 'protobuf' };
  const lines = jsonLines(raw);
  const spans: SpanBatch['spans'][number][] = [];
  const refused: SpanBatch['refused'][number][] = [];
  for (const line of lines) {
    const batch = readRequest(line, 'json', now);
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

/** A request a line where each line is one, else the whole text. */
function jsonLines(bytes: Uint8Array): Uint8Array[] {
  const lines = new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const isLines =
    lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));
  return isLines ? lines.map((line) => new TextEncoder().encode(line)) : [bytes];
}
