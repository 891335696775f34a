import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { inferProvider, providerAt } from '../../../src/core/pricing/index.ts';
import { toEvents } from '../../../src/features/otel/map/to-events.ts';
import { readRequest } from '../../../src/features/otel/read/read-request.ts';
import { createRedactor } from '../../../src/lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../../src/lib/sensitive-keys.ts';

/** The time at which the spans of the tests start, in epoch milliseconds. */
export const START = Date.UTC(2026, 5, 15, 11, 59);
export const NOW = Date.UTC(2026, 5, 15, 12);
export const TRACE_ID = '5b8efff798038103d269b633813fc60c';

export type AttributeMap = { readonly [name: string]: unknown };

/** A span in short notation; times are milliseconds after `START`. */
export type SpanSpec = {
  readonly id?: string;
  readonly parent?: string;
  readonly trace?: string;
  readonly name?: string;
  readonly start?: number;
  readonly end?: number;
  readonly code?: 0 | 1 | 2;
  readonly message?: string;
  readonly attributes?: AttributeMap;
  readonly exception?: AttributeMap;
  readonly scope?: { readonly name: string; readonly version?: string };
  readonly resource?: AttributeMap;
};

/** `1` as the span id 0000000000000001. */
export const spanId = (id: string): string => id.padStart(16, '0');

/** Input of the exporters' own encoder (@opentelemetry/sdk-trace, ReadableSpan). */
type ReadableSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

const hrTime = (ms: number): [number, number] => {
  const at = START + ms;
  return [Math.floor(at / 1000), Math.round((at % 1000) * 1e6)];
};

type Resource = { readonly attributes: AttributeMap; readonly asyncAttributesPending: boolean };
const resources = new WeakMap<AttributeMap, Resource>();
const NO_RESOURCE: AttributeMap = {};

/** One resource per set of attributes, because the encoder groups spans by resource. */
const resourceOf = (attributes = NO_RESOURCE): Resource => {
  const resource = resources.get(attributes) ?? { attributes, asyncAttributesPending: false };
  resources.set(attributes, resource);
  return resource;
};

const NO_SCOPE = { name: '' };

const toReadable = (spec: SpanSpec, place: number): ReadableSpan => {
  const { start = 0, end = start + 250, code = 0, message, trace = TRACE_ID } = spec;
  const contextOf = (id: string): object => ({ traceId: trace, spanId: spanId(id), traceFlags: 1 });
  const exception = { name: 'exception', time: hrTime(end), attributes: spec.exception ?? {} };
  return {
    name: spec.name ?? 'chat gpt-4o',
    kind: 2,
    spanContext: () => contextOf(spec.id ?? String(place + 1)),
    ...(spec.parent === undefined ? {} : { parentSpanContext: contextOf(spec.parent) }),
    startTime: hrTime(start),
    endTime: hrTime(end),
    status: { code, ...(message === undefined ? {} : { message }) },
    attributes: spec.attributes ?? {},
    links: [],
    events: spec.exception === undefined ? [] : [exception],
    duration: [0, 0],
    ended: true,
    resource: resourceOf(spec.resource),
    instrumentationScope: spec.scope ?? NO_SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  } as unknown as ReadableSpan;
};

/** The body that OpenTelemetry's exporters send. */
export const encode = (encoding: 'json' | 'protobuf', ...specs: SpanSpec[]): Uint8Array<ArrayBuffer> => {
  const serializer = encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer;
  return new Uint8Array(serializer.serializeRequest(specs.map(toReadable)) ?? []);
};

export const readBytes = (
  bytes: Uint8Array,
  encoding: 'json' | 'protobuf',
  storePrompts = false,
): ParsedEvent[] => {
  const { spans, refused } = readRequest(bytes, encoding, NOW);
  if (refused.length > 0) throw new Error(refused.map(({ error }) => error).join('; '));
  const redact = createRedactor([...DEFAULT_REDACT_KEYS, 'server.address']);
  return toEvents(spans, { redact, storePrompts, inferProvider, providerAt });
};

/** The events of spans encoded as protobuf. */
export const eventsOf = (...specs: SpanSpec[]): ParsedEvent[] =>
  readBytes(encode('protobuf', ...specs), 'protobuf');

/** The event of a single span. */
export const eventOf = (spec: SpanSpec): ParsedEvent => {
  const [event] = eventsOf(spec);
  if (event === undefined) throw new Error('no event');
  return event;
};

/** The attributes of a call by the current conventions. */
export const genAi = (provider: string, model: string, rest: object = {}): AttributeMap => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': model,
  ...rest,
});
export const tokens = (input: number, output: number): object => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
});
