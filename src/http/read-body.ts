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
import { AppError, badRequest, tooLarge } from '../errors.ts';

/** A content coding that a route accepts (RFC 9110, 8.4.1). */
export type BodyEncoding = 'gzip' | 'deflate';

/** Limits on a body in bytes: compressed size as sent, and size after decompression. */
export type BodyLimits = {
  readonly maxCompressed: number;
  readonly maxRaw: number;
  readonly encodings: readonly BodyEncoding[];
};

const MB = 1_048_576;

/** Limits of `POST /v1/ingest`: 1 MB compressed, 10 MB raw. */
export const INGEST_BODY_LIMITS: BodyLimits = {
  maxCompressed: MB,
  maxRaw: 10 * MB,
  encodings: ['gzip', 'deflate'],
};

/** Larger compressed bodies are decompressed off the serving thread. */
const ASYNC_FROM = MB / 4;

const EMPTY = new Uint8Array(0);

/** Formats a size: `10 MB`, or bytes if it is not a whole number of MB. */
const sizeText = (bytes: number): string => (bytes % MB === 0 ? `${bytes / MB} MB` : `${bytes} bytes`);

/** Throws 413 if `length` bytes, which begin with `start`, exceed the limit of their coding. */
type Guard = (length: number, start: Uint8Array) => void;

/** The coding in the Content-Encoding header, or null. */
const statedCoding = (request: Request, limits: BodyLimits): BodyEncoding | null => {
  const stated = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (stated === '' || stated === 'identity') return null;
  const coding = limits.encodings.find((known) => known === stated || `x-${known}` === stated);
  if (coding !== undefined) return coding;
  const known = [...limits.encodings, 'identity'].join(', ');
  throw new AppError(415, `Content-Encoding must be one of ${known}`, {
    headers: { 'Accept-Encoding': known },
  });
};

/** Detects gzip by its first two bytes (RFC 1952, 2.3.1); otherwise null. */
const sniffedCoding = (bytes: Uint8Array, limits: BodyLimits): BodyEncoding | null =>
  bytes[0] === 0x1f && bytes[1] === 0x8b && limits.encodings.includes('gzip') ? 'gzip' : null;

const concat = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
};

/** Reads a body of unknown length and stops as soon as `guard` throws. */
const readStream = async (body: ReadableStream<Uint8Array>, guard: Guard): Promise<Uint8Array> => {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(chunks, length);
    chunks.push(value);
    length += value.length;
    try {
      guard(length, chunks[0] ?? value);
    } catch (error) {
      // Not awaited, because the sender decides when its side closes.
      reader.cancel().catch(() => undefined);
      throw error;
    }
  }
};

/** Reads the bytes as sent. */
const readSent = async (request: Request, guard: Guard): Promise<Uint8Array> => {
  const declared = request.headers.get('content-length');
  try {
    if (declared === null) return request.body === null ? EMPTY : await readStream(request.body, guard);
    // The server enforces a declared length, so the body can be read at once.
    guard(Number(declared), EMPTY);
    const bytes = new Uint8Array(await request.arrayBuffer());
    guard(bytes.length, bytes);
    return bytes;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(400, 'The body ended early', { cause });
  }
};

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

/** Decompresses up to `maxRaw` bytes. A gzip body may have several members (RFC 1952, 2.2). */
const decode = async (bytes: Uint8Array, coding: BodyEncoding, limits: BodyLimits): Promise<Uint8Array> => {
  const format = formatOf(coding, bytes);
  // Large chunks, because each one costs a call into zlib and a copy at the end.
  const chunkSize = bytes.length > ASYNC_FROM ? MB : 65_536;
  const options: ZlibOptions = { maxOutputLength: limits.maxRaw, chunkSize, info: true };
  try {
    const result: unknown =
      bytes.length > ASYNC_FROM
        ? await asyncInflaters[format](bytes, options)
        : syncInflaters[format](bytes, options);
    const { buffer, engine } = result as Inflated;
    if (engine.bytesWritten !== bytes.length) throw trailingBytes(coding);
    return buffer;
  } catch (error) {
    if (error instanceof AppError) throw error;
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(`The decompressed body is over the limit of ${sizeText(limits.maxRaw)}`);
    }
    throw inflateError(error, coding, bytes);
  }
};

/** A body as sent, and its content coding, if any. */
export type SentBody = { readonly bytes: Uint8Array; readonly coding: BodyEncoding | null };

/**
 * Reads a request's body as sent. It is compressed if `Content-Encoding` says so or if it starts like gzip. The limit
 * is `maxCompressed` for compressed bodies and `maxRaw` for others; reading stops at the limit.
 * @throws AppError 413 over a limit, which the message names; 415 for an encoding that is not in `limits.encodings`;
 * 400 if the body ends early
 */
export const receiveBody = async (request: Request, limits: BodyLimits): Promise<SentBody> => {
  const stated = statedCoding(request, limits);
  const guard: Guard = (length, start) => {
    const compressed = (stated ?? sniffedCoding(start, limits)) !== null;
    const max = compressed ? limits.maxCompressed : limits.maxRaw;
    if (length <= max) return;
    throw tooLarge(`The ${compressed ? 'compressed ' : ''}body is over the limit of ${sizeText(max)}`);
  };
  const bytes = await readSent(request, guard);
  return { bytes, coding: stated ?? sniffedCoding(bytes, limits) };
};

/**
 * Decompresses the result of `receiveBody`, up to `maxRaw` bytes.
 * @throws AppError 413 over the limit; 400 for a compressed body that is truncated, damaged, in another format or
 * followed by other bytes
 */
export const inflateBody = async ({ bytes, coding }: SentBody, limits: BodyLimits): Promise<Uint8Array> =>
  coding === null ? bytes : await decode(bytes, coding, limits);

/** Reads and decompresses a request's body; throws like `receiveBody` and `inflateBody`. */
export const readBody = async (request: Request, limits: BodyLimits): Promise<Uint8Array> =>
  await inflateBody(await receiveBody(request, limits), limits);
