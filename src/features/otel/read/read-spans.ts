import { badRequest, tooLarge } from '../../../errors.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { type Attributes, isObject, NO_ATTRIBUTES, readAttributes } from './attributes.ts';
import { MAX_SPANS } from './otlp-messages.ts';
import type { RefusedSpan, Span, SpanBatch } from './span.ts';

type JsonObject = { readonly [key: string]: unknown };
type Origin = Pick<Span, 'scope' | 'resource'>;

const NS_PER_MS = 1_000_000n;
/** Same limit as for events. */
const OLDEST_MS = 3_653 * DAY_MS;
const NEWEST_MS = DAY_MS;
/** A clock correction during a span can make it end before it starts; larger steps are refused as invalid. */
const CLOCK_STEP_NS = 60_000n * NS_PER_MS;
const LONGEST_NS = 10_000_000_000n * NS_PER_MS;
const UINT64 = /^\d{1,20}$/;

/**
 * Checks the spans of an ExportTraceServiceRequest in its JSON form (opentelemetry-proto, OTLP/JSON). Ids are hex in
 * either case, times are decimal text or numbers, enums are numbers, unknown fields are ignored. An invalid span does
 * not affect the valid ones.
 * @param now epoch milliseconds of the receipt
 * @throws AppError 400 if the envelope around the spans is invalid, 413 for more than 10,000 spans
 */
export function readSpans(request: JsonObject, now: number): SpanBatch {
  const batch = { spans: [] as Span[], refused: [] as RefusedSpan[] };
  for (const group of listOf(request, 'resourceSpans')) {
    const resource = readResource(group.resource);
    for (const { scope, spans } of listOf(group, 'scopeSpans')) {
      if (spans === undefined || spans === null) continue;
      if (!Array.isArray(spans)) throw badRequest('spans must be an array');
      const origin = { scope: readScope(scope), resource };
      for (const raw of spans as unknown[]) {
        const line = batch.spans.length + batch.refused.length + 1;
        if (line > MAX_SPANS) throw tooLarge(`The request is over the limit of ${MAX_SPANS} spans`);
        const span = readSpan(raw, origin, now);
        if (typeof span === 'string') batch.refused.push({ line, error: span });
        else batch.spans.push(span);
      }
    }
  }
  return batch;
}

function listOf(object: JsonObject, name: string): JsonObject[] {
  const list = object[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isObject)) throw badRequest(`${name} must be an array of objects`);
  return list;
}

function readResource(value: unknown): Attributes {
  const attributes = isObject(value) ? readAttributes(value.attributes) : NO_ATTRIBUTES;
  if (typeof attributes === 'string') throw badRequest(`a resource ${attributes}`);
  return attributes;
}

function readScope(value: unknown): Span['scope'] {
  const scope = isObject(value) ? value : {};
  return { name: textOf(scope.name), version: textOf(scope.version) };
}

/** The span, or an error message. */
function readSpan(raw: unknown, { scope, resource }: Origin, now: number): Span | string {
  if (!isObject(raw)) return 'span must be an object';
  const traceId = readId(raw.traceId, 32);
  if (traceId === null) return 'traceId must be 32 hexadecimal digits that are not all 0';
  const spanId = readId(raw.spanId, 16);
  if (spanId === null) return 'spanId must be 16 hexadecimal digits that are not all 0';
  const hasParent =
    typeof raw.parentSpanId === 'string' ? !/^0*$/.test(raw.parentSpanId) : raw.parentSpanId != null;
  const parentSpanId = hasParent ? readId(raw.parentSpanId, 16) : null;
  if (hasParent && parentSpanId === null) return 'parentSpanId must be 16 hexadecimal digits';
  const start = readTime(raw.startTimeUnixNano);
  const end = readTime(raw.endTimeUnixNano);
  const problem = timeProblem(start, end, now);
  if (start === null || problem !== null) return problem ?? 'startTimeUnixNano is missing';
  const attributes = readAttributes(raw.attributes);
  if (typeof attributes === 'string') return attributes;
  const status = isObject(raw.status) ? raw.status : {};
  return {
    traceId,
    spanId,
    parentSpanId,
    name: textOf(raw.name),
    start,
    end: end !== null && end < start ? start : end,
    statusCode: readStatusCode(status.code),
    statusMessage: textOf(status.message),
    attributes,
    exception: readException(raw.events),
    scope,
    resource,
    json: new Map(),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function readId(value: unknown, digits: number): string | null {
  if (typeof value !== 'string' || value.length !== digits || !/^[\da-f]+$/i.test(value)) return null;
  return /^0+$/.test(value) ? null : value.toLowerCase();
}

/** Nanoseconds since the epoch; 0 means missing. */
function readTime(value: unknown): bigint | null {
  let time: bigint | null = null;
  if (typeof value === 'bigint') time = value;
  else if (typeof value === 'string' && UINT64.test(value)) time = BigInt(value);
  else if (typeof value === 'number' && value > 0 && Number.isFinite(value)) time = BigInt(Math.floor(value));
  return time === 0n ? null : time;
}

function timeProblem(start: bigint | null, end: bigint | null, now: number): string | null {
  if (start === null) return 'startTimeUnixNano must be nanoseconds since 1970';
  const startMs = Number(start / NS_PER_MS);
  if (startMs < now - OLDEST_MS) return 'startTimeUnixNano must not be more than 10 years back';
  if (startMs > now + NEWEST_MS) return 'startTimeUnixNano must not be more than a day ahead';
  if (end === null) return null;
  if (start - end > CLOCK_STEP_NS) return 'endTimeUnixNano must not be before startTimeUnixNano';
  return end - start > LONGEST_NS
    ? 'endTimeUnixNano must not be more than 115 days after startTimeUnixNano'
    : null;
}

/** Enums are numbers; their names are accepted too. */
function readStatusCode(value: unknown): number {
  if (value === 'STATUS_CODE_ERROR') return 2;
  return value === 1 || value === 2 ? value : 0;
}

function readException(events: unknown): Attributes | null {
  if (!Array.isArray(events)) return null;
  const last = events.findLast((event: unknown) => isObject(event) && event.name === 'exception') as
    | JsonObject
    | undefined;
  const attributes = last === undefined ? null : readAttributes(last.attributes);
  return typeof attributes === 'string' ? null : attributes;
}
