/** A UUID, by which the server tells a retry from another event. */
export const newEventId = (): string => crypto.randomUUID();

/**
 * Ids as in W3C Trace Context: 16 bytes of a trace, 8 of a span, in lower-case hex. They are taken from
 * UUIDs (122 and 62 bits of chance), which the runtimes make several times faster than other random bytes.
 */
export const newTraceId = (): string => crypto.randomUUID().replaceAll('-', '');
export const newSpanId = (): string => {
  const id = crypto.randomUUID();
  return id.slice(19, 23) + id.slice(24);
};
