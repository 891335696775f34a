/**
 * Derives the event id of a span: the first 16 bytes of SHA-256 over trace id and span id, as a UUID of version 8
 * (RFC 9562). It is deterministic, so that an exporter's retry is deduplicated.
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 */
export function spanEventId(traceId: string, spanId: string): string {
  const hex = Bun.SHA256.hash(`${traceId}${spanId}`, 'hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
