/** How a scalar field is read. `hex` is bytes as lower-case hexadecimal digits, the form of ids in OTLP/JSON. */
export type ScalarType = 'string' | 'hex' | 'bool' | 'enum' | 'double' | 'int64' | 'fixed64';

/** A field of a message: its number, its type, and, if it repeats, the limit of elements. */
export type FieldSpec = { readonly id: number; readonly type: string; readonly repeated?: number };

/** Most spans in one request. The Collector's default batch is 8,192, that of the SDKs 512. */
export const MAX_SPANS = 10_000;
/** Most attributes of one span. The SDKs' default is 128; Phoenix's set-up raises it to 10,000. */
export const MAX_ATTRIBUTES = 10_000;

const ATTRIBUTES = { type: 'KeyValue', repeated: MAX_ATTRIBUTES + 1 } as const;
const MANY = 1_000_000;

/**
 * The part of OTLP that is read here, with the field names of its JSON form (opentelemetry-proto 1.11:
 * collector/trace/v1/trace_service.proto, trace/v1/trace.proto, common/v1/common.proto). Other fields are skipped. The
 * last two requests only serve to recognise metrics and logs.
 */
export const OTLP_MESSAGES = {
  ExportTraceServiceRequest: { resourceSpans: { id: 1, type: 'ResourceSpans', repeated: MANY } },
  ResourceSpans: {
    resource: { id: 1, type: 'Resource' },
    scopeSpans: { id: 2, type: 'ScopeSpans', repeated: MANY },
  },
  Resource: { attributes: { id: 1, ...ATTRIBUTES } },
  ScopeSpans: {
    scope: { id: 1, type: 'InstrumentationScope' },
    spans: { id: 2, type: 'Span', repeated: MAX_SPANS + 1 },
  },
  InstrumentationScope: { name: { id: 1, type: 'string' }, version: { id: 2, type: 'string' } },
  Span: {
    traceId: { id: 1, type: 'hex' },
    spanId: { id: 2, type: 'hex' },
    parentSpanId: { id: 4, type: 'hex' },
    name: { id: 5, type: 'string' },
    startTimeUnixNano: { id: 7, type: 'fixed64' },
    endTimeUnixNano: { id: 8, type: 'fixed64' },
    attributes: { id: 9, ...ATTRIBUTES },
    events: { id: 11, type: 'Event', repeated: 1_000 },
    status: { id: 15, type: 'Status' },
  },
  Event: { name: { id: 2, type: 'string' }, attributes: { id: 3, type: 'KeyValue', repeated: 1_000 } },
  Status: { message: { id: 2, type: 'string' }, code: { id: 3, type: 'enum' } },
  KeyValue: { key: { id: 1, type: 'string' }, value: { id: 2, type: 'AnyValue' } },
  AnyValue: {
    stringValue: { id: 1, type: 'string' },
    boolValue: { id: 2, type: 'bool' },
    intValue: { id: 3, type: 'int64' },
    doubleValue: { id: 4, type: 'double' },
    arrayValue: { id: 5, type: 'ArrayValue' },
    kvlistValue: { id: 6, type: 'KeyValueList' },
  },
  ArrayValue: { values: { id: 1, type: 'AnyValue', repeated: MANY } },
  KeyValueList: { values: { id: 1, type: 'KeyValue', repeated: MANY } },

  ExportMetricsServiceRequest: { resourceMetrics: { id: 1, type: 'ResourceMetrics', repeated: 1 } },
  ResourceMetrics: { scopeMetrics: { id: 2, type: 'ScopeMetrics', repeated: 1 } },
  ScopeMetrics: { metrics: { id: 2, type: 'Metric', repeated: 1 } },
  Metric: {
    name: { id: 1, type: 'string' },
    gauge: { id: 5, type: 'Empty' },
    sum: { id: 7, type: 'Empty' },
    histogram: { id: 9, type: 'Empty' },
    exponentialHistogram: { id: 10, type: 'Empty' },
    summary: { id: 11, type: 'Empty' },
  },
  ExportLogsServiceRequest: { resourceLogs: { id: 1, type: 'ResourceLogs', repeated: 1 } },
  ResourceLogs: { scopeLogs: { id: 2, type: 'ScopeLogs', repeated: 1 } },
  ScopeLogs: { logRecords: { id: 2, type: 'LogRecord', repeated: 1 } },
  LogRecord: {
    timeUnixNano: { id: 1, type: 'fixed64' },
    observedTimeUnixNano: { id: 11, type: 'fixed64' },
  },
  Empty: {},
} as const satisfies Record<string, Record<string, FieldSpec>>;

export type MessageName = keyof typeof OTLP_MESSAGES;
