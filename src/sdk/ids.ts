/** A UUID by which the server deduplicates retries. */
export const newEventId = (): string => crypto.randomUUID();

/**
 * W3C Trace Context ids: 16 bytes for a trace, 8 for a span, in lower-case hex. They are taken from UUIDs (122 and
 * 62 random bits), which the runtimes generate several times faster than other random bytes.
 */
export const newTraceId = (): string => crypto.randomUUID().replaceAll('-', '');
export const newSpanId = (): string => {
  const id = crypto.randomUUID();
  return id.slice(19, 23) + id.slice(24);
};
