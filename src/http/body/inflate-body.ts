import { promisify } from 'node:util';
import {
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import { AppError, badRequest } from '../../errors.ts';
import { type BodyEncoding, type BodyLimits, inflatedTooLarge } from './body-limits.ts';
import type { SentBody } from './receive-body.ts';

const MB = 1_048_576;
/**
 * A body is decompressed on the serving thread only if it is at most this long before and after; that takes less than
 * a millisecond. Every other body is decompressed on another thread.
 */
const MOST_AT_ONCE = { sent: 32_768, raw: 131_072 };

const asyncInflaters = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  deflateRaw: promisify(inflateRaw),
};
const syncInflaters = { gzip: gunzipSync, deflate: inflateSync, deflateRaw: inflateRawSync };

/** Some senders use `deflate` for raw deflate data, recognised by the missing zlib header (RFC 1950, 2.2). */
const formatOf = (coding: BodyEncoding, bytes: Uint8Array): keyof typeof syncInflaters => {
  if (coding === 'gzip') return 'gzip';
  const [method = 0, flags = 0] = bytes;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0 ? 'deflate' : 'deflateRaw';
};

/** zlib's result with `info: true`, which its types do not describe. */
type Inflated = { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } };

const inflateError = (cause: unknown, coding: BodyEncoding, bytes: Uint8Array): AppError => {
  const { code, message } = cause as { code?: string; message?: string };
  const fail = (text: string): AppError => new AppError(400, text, { cause });
  if (code === 'Z_BUF_ERROR') return fail(`The ${coding} body is truncated`);
  if (message === 'incorrect data check' || message === 'incorrect length check') {
    return fail(`The ${coding} body is damaged: its checksum is wrong`);
  }
  if (coding === 'gzip' && (bytes[0] !== 0x1f || bytes[1] !== 0x8b)) {
    return fail('The body is not gzip, though Content-Encoding says so');
  }
  if (message === 'incorrect header check') return trailingBytes(coding);
  return fail(`The ${coding} body is damaged`);
};

const trailingBytes = (coding: BodyEncoding): AppError =>
  badRequest(`The ${coding} body is followed by bytes that are not part of it`);

/** The whole content if it is small, otherwise null. Throws like `inflateBody`. */
export function inflateAtOnce({ bytes, coding }: SentBody, limits: BodyLimits): Uint8Array | null {
  if (coding === null) return bytes.length <= MOST_AT_ONCE.raw ? bytes : null;
  if (bytes.length > MOST_AT_ONCE.sent) return null;
  const maxOutputLength = Math.min(limits.maxRaw, MOST_AT_ONCE.raw);
  try {
    const options: ZlibOptions = { maxOutputLength, chunkSize: MOST_AT_ONCE.raw, info: true };
    return wholeOf(syncInflaters[formatOf(coding, bytes)](bytes, options), bytes, coding);
  } catch (error) {
    if (isOverflow(error) && maxOutputLength < limits.maxRaw) return null;
    throw toAppError(error, { bytes, coding }, limits);
  }
}

/**
 * Decompresses the result of `receiveBody`, up to `maxRaw` bytes. A gzip body may have several members (RFC 1952, 2.2).
 * @throws AppError 413 over the limit; 400 for a compressed body that is truncated, damaged, in another format or
 * followed by other bytes
 */
export async function inflateBody(sent: SentBody, limits: BodyLimits): Promise<Uint8Array> {
  const { bytes, coding } = sent;
  const small = inflateAtOnce(sent, limits);
  if (small !== null || coding === null) return small ?? bytes;
  try {
    // Large chunks, because each one costs a call into zlib and a copy at the end.
    const options: ZlibOptions = { maxOutputLength: limits.maxRaw, chunkSize: MB, info: true };
    return wholeOf(await asyncInflaters[formatOf(coding, bytes)](bytes, options), bytes, coding);
  } catch (error) {
    throw toAppError(error, sent, limits);
  }
}

/** The content, if all that was sent is part of it. */
function wholeOf(result: unknown, bytes: Uint8Array, coding: BodyEncoding): Uint8Array {
  const { buffer, engine } = result as Inflated;
  if (engine.bytesWritten !== bytes.length) throw trailingBytes(coding);
  return buffer;
}

const isOverflow = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';

function toAppError(error: unknown, { bytes, coding }: SentBody, limits: BodyLimits): unknown {
  if (error instanceof AppError || coding === null) return error;
  return isOverflow(error) ? inflatedTooLarge(limits) : inflateError(error, coding, bytes);
}
