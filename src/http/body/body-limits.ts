import { AppError, tooLarge } from '../../errors.ts';

/** A content coding that a route accepts (RFC 9110, 8.4.1). */
export type BodyEncoding = 'gzip' | 'deflate';

/** Limits on a body in bytes: compressed size as sent, and size after decompression. */
export type BodyLimits = {
  readonly maxCompressed: number;
  readonly maxRaw: number;
  readonly encodings: readonly BodyEncoding[];
};

const KB = 1_024;
const MB = 1_048_576;

/** Limits of JSON bodies of signed-in callers. */
export const JSON_LIMITS: BodyLimits = { maxCompressed: 1_000_000, maxRaw: 1_000_000, encodings: ['gzip'] };
/** Limits of JSON bodies of callers that are not identified: no compression, because decompression is work for them. */
export const OPEN_JSON_LIMITS: BodyLimits = { maxCompressed: 0, maxRaw: 16 * KB, encodings: [] };

/** Formats a size: `10 MB`, `16 kB`, or bytes if it is a whole number of neither. */
const sizeText = (bytes: number): string => {
  if (bytes >= MB && bytes % MB === 0) return `${bytes / MB} MB`;
  return bytes > 0 && bytes % KB === 0 ? `${bytes / KB} kB` : `${bytes} bytes`;
};

/** The coding in the Content-Encoding header, or null. Throws 415 for a coding that the route does not accept. */
export function statedCoding(headers: Headers, limits: BodyLimits): BodyEncoding | null {
  const stated = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (stated === '' || stated === 'identity') return null;
  const coding = limits.encodings.find((known) => known === stated || `x-${known}` === stated);
  if (coding !== undefined) return coding;
  const known = [...limits.encodings, 'identity'].join(', ');
  const message =
    limits.encodings.length === 0
      ? 'This route takes no compressed body; send it without Content-Encoding'
      : `Content-Encoding must be one of ${known}`;
  throw new AppError(415, message, { headers: { 'Accept-Encoding': known } });
}

/** Detects gzip by its first two bytes (RFC 1952, 2.3.1); otherwise null. */
export const sniffedCoding = (bytes: Uint8Array, limits: BodyLimits): BodyEncoding | null =>
  bytes[0] === 0x1f && bytes[1] === 0x8b && limits.encodings.includes('gzip') ? 'gzip' : null;

/** Throws 413 if `length` bytes exceed the limit of their coding. */
export function checkLength(length: number, coding: BodyEncoding | null, limits: BodyLimits): void {
  const max = coding === null ? limits.maxRaw : limits.maxCompressed;
  if (length <= max) return;
  throw tooLarge(`The ${coding === null ? '' : 'compressed '}body is over the limit of ${sizeText(max)}`);
}

/** The error for a body whose content exceeds `maxRaw`. */
export const inflatedTooLarge = ({ maxRaw }: BodyLimits): AppError =>
  tooLarge(`The decompressed body is over the limit of ${sizeText(maxRaw)}`);

/**
 * Checks a body by its headers, before a byte of it is read.
 * @throws AppError 415 for a coding that the route does not accept, 413 for a declared length over the limit
 */
export function checkBodyHeaders({ headers }: Request, limits: BodyLimits): void {
  const coding = statedCoding(headers, limits);
  checkLength(Number(headers.get('content-length') ?? 0), coding, limits);
}
