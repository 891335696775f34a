import type { Place } from './context.ts';

type SpanContext = { readonly traceId: string; readonly spanId: string };

/** The part of `@opentelemetry/api` (version 1) that the bridge uses; the module itself fits. */
export type OpenTelemetryApi = {
  readonly context: { active(): object };
  readonly trace: { getSpanContext(context: object): SpanContext | undefined };
};

const NONE = /^0*$/;

/** The span's ids; undefined if it is not a span, or the one that stands for none. */
const validContext = (given: unknown): SpanContext | undefined => {
  const { traceId, spanId } = (given ?? {}) as Partial<SpanContext>;
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined;
  return NONE.test(traceId) || NONE.test(spanId) ? undefined : { traceId, spanId };
};

/** The ids of an OpenTelemetry span object. */
const contextOf = (span: unknown): SpanContext | undefined => {
  const read = (span as { spanContext?: () => unknown } | null | undefined)?.spanContext;
  return typeof read === 'function' ? validContext(read.call(span)) : undefined;
};

/**
 * The place of what starts now: inside OpenTelemetry's active span if that was started after the current span of this
 * SDK, else inside the latter. Nothing is written to OpenTelemetry's context, because its spans would then have a
 * parent that no other backend knows.
 * @param around the OpenTelemetry span of the call itself, where the provider's client makes one
 */
export const placeWith = (
  api: OpenTelemetryApi | undefined,
  own: Place | undefined,
  around?: unknown,
): Place | undefined => {
  if (api === undefined) return own;
  try {
    const active = contextOf(around) ?? validContext(api.trace.getSpanContext(api.context.active()));
    if (active === undefined || own?.outer === active.spanId) return own;
    return { ...active, inherited: own?.inherited ?? {}, outer: active.spanId };
  } catch {
    return own;
  }
};

/** The parent of a new trace: an OpenTelemetry span that is active, whose trace it joins, or none. */
export const rootPlace = (place: Place | undefined): Place | undefined =>
  place === undefined || (place.outer !== undefined && place.outer === place.spanId)
    ? place
    : { ...place, traceId: undefined, spanId: undefined };
