const TRACE = /^[\da-f]{32}$/;
const SPAN = /^[\da-f]{16}$/;

/**
 * The event id with which a sender says that an event is a span of a trace that OpenTelemetry reports too: a UUID of
 * version 8 (RFC 9562) made of the span id and the first 14 digits of the trace id. Such an event is counted once
 * together with the trace's OTLP spans. Null if an id is not in the form of W3C Trace Context, in lower case.
 */
export function linkedEventId(traceId: string, spanId: string): string | null {
  if (!TRACE.test(traceId) || !SPAN.test(spanId)) return null;
  const last = `8${spanId.slice(1, 4)}-${spanId.slice(4)}`;
  return `${traceId.slice(0, 8)}-${traceId.slice(8, 12)}-8${traceId.slice(12, 14)}${spanId[0]}-${last}`;
}

/** Whether an event's id was made by `linkedEventId`. Three characters tell most other ids apart. */
export const isLinked = (eventId: string, traceId: string, spanId: string): boolean =>
  eventId[14] === '8' &&
  eventId[0] === traceId[0] &&
  eventId[1] === traceId[1] &&
  eventId === linkedEventId(traceId, spanId);
