import { gzipSync } from 'bun';
import { Writer } from 'protobufjs/minimal.js';
import type { FieldSpec, MessageName, OTLP_MESSAGES } from '../../src/features/otel/index.ts';
import { makeEvent, type Span, timesOf } from './events.ts';

/** The wire formats of a benchmark: the native route, or OTLP in either encoding. */
export const FORMATS = {
  native: { path: '/v1/ingest', type: 'application/x-ndjson' },
  'otlp-protobuf': { path: '/v1/otel', type: 'application/x-protobuf' },
  'otlp-json': { path: '/v1/otel', type: 'application/json' },
} as const;
export type Format = keyof typeof FORMATS;

type Attribute = { key: string; value: Record<string, unknown> };
type Encodable = { readonly [field: string]: unknown };

/** The same calls as `makeBatches`, as spans of the GenAI semantic conventions (v1.41). */
export async function makeOtlpBatches(
  format: Exclude<Format, 'native'>,
  count: number,
  size: number,
  span: Span,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { OTLP_MESSAGES: messages } = await import('../../src/features/otel/index.ts');
  const encode = encoder(messages);
  const timeOf = timesOf(span, count * size);
  return Array.from({ length: count }, (_, batch) => {
    const spans = Array.from({ length: size }, (_, i) => toSpan(makeEvent(timeOf(batch * size + i), span)));
    const resource = {
      attributes: attributes({ 'service.name': 'bench', 'deployment.environment.name': 'production' }),
    };
    const scopeSpans = [{ scope: { name: 'bench', version: '1.0.0' }, spans }];
    const request = { resourceSpans: [{ resource, scopeSpans }] };
    const body =
      format === 'otlp-json'
        ? new TextEncoder().encode(JSON.stringify(request))
        : encode('ExportTraceServiceRequest', request, Writer.create()).finish();
    return gzipSync(new Uint8Array(body), { level: 1 });
  });
}

function toSpan(event: ReturnType<typeof makeEvent>): Encodable {
  const start = BigInt(Date.parse(event.timestamp)) * 1_000_000n;
  const failed = event.status !== 'success';
  return {
    traceId: event.trace_id,
    spanId: event.span_id,
    name: `chat ${event.model}`,
    kind: 3,
    startTimeUnixNano: start.toString(),
    endTimeUnixNano: (start + BigInt(event.latency_ms) * 1_000_000n).toString(),
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': event.provider,
      'gen_ai.request.model': event.model,
      'gen_ai.response.model': event.model,
      'gen_ai.usage.input_tokens': event.input_tokens,
      'gen_ai.usage.output_tokens': event.output_tokens,
      'gen_ai.usage.cache_read.input_tokens': event.cached_input_tokens,
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': event.ttft_ms / 1000 + 1e-7,
      'user.id': event.user_id,
      'session.id': event.session_id,
      'server.address': 'api.example.com',
      ...(failed ? { 'error.type': `provider_${event.status}` } : {}),
    }),
    status: failed ? { code: 2, message: 'The provider refused' } : { code: 1 },
  };
}

function attributes(values: Readonly<Record<string, string | number | boolean>>): Attribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean): Record<string, unknown> {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}

type Encode = (message: MessageName, object: Encodable, writer: Writer) => Writer;

/** Encodes OTLP JSON objects as protobuf, with the server's own field table. */
function encoder(messages: typeof OTLP_MESSAGES): Encode {
  const encode: Encode = (message, object, writer) => {
    for (const [name, spec] of Object.entries<FieldSpec>(messages[message])) {
      const value = object[name];
      if (value === undefined) continue;
      for (const one of spec.repeated === undefined ? [value] : (value as unknown[])) {
        encodeField(spec, one, writer, encode);
      }
    }
    return writer;
  };
  return encode;
}

function encodeField({ id, type }: FieldSpec, value: unknown, writer: Writer, encode: Encode): void {
  switch (type) {
    case 'string':
      writer.uint32((id << 3) | 2).string(value as string);
      return;
    case 'hex':
      writer.uint32((id << 3) | 2).bytes(Uint8Array.fromHex(value as string));
      return;
    case 'bool':
      writer.uint32(id << 3).bool(value as boolean);
      return;
    case 'enum':
    case 'int64':
      writer.uint32(id << 3).int64(value as number);
      return;
    case 'double':
      writer.uint32((id << 3) | 1).double(value as number);
      return;
    case 'fixed64':
      writeFixed64(writer.uint32((id << 3) | 1), BigInt(value as string));
      return;
    default:
      encode(type as MessageName, value as Encodable, writer.uint32((id << 3) | 2).fork()).ldelim();
  }
}

function writeFixed64(writer: Writer, value: bigint): void {
  writer.fixed32(Number(value & 0xffffffffn)).fixed32(Number(value >> 32n));
}
