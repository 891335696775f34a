import { AppError, badRequest } from '../../../errors.ts';
import { isObject } from './attributes.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { onlyTraces } from './only-traces.ts';
import type { MessageName } from './otlp-messages.ts';
import { readSpans } from './read-spans.ts';
import type { SpanBatch } from './span.ts';

/** The two encodings of OTLP over HTTP (opentelemetry-proto, OTLP/HTTP Request). */
export type Encoding = 'json' | 'protobuf';

export const CONTENT_TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;

/** @throws AppError 415 for any other content type. */
export function encodingOf(request: Request): Encoding {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === CONTENT_TYPES.json) return 'json';
  if (type === CONTENT_TYPES.protobuf || type === 'application/protobuf') return 'protobuf';
  throw new AppError(415, `Content-Type must be ${CONTENT_TYPES.protobuf} or ${CONTENT_TYPES.json}`);
}

/**
 * Reads the spans of a decompressed body. A body without spans is valid.
 * @throws AppError 400 for a body that cannot be decoded and for metrics and logs, which it names; 413 for too many
 *   spans or values
 */
export function readRequest(bytes: Uint8Array, encoding: Encoding, now: number): SpanBatch {
  return encoding === 'json' ? readJson(bytes, now) : readProtobuf(bytes, now);
}

function readJson(bytes: Uint8Array, now: number): SpanBatch {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's message quotes the body, which must not reach the log.
    throw badRequest('The body is not JSON in UTF-8');
  }
  if (!isObject(body)) throw badRequest('The body must be a JSON object with resourceSpans');
  if (body.resourceSpans === undefined) {
    if (body.resourceMetrics !== undefined) throw badRequest(onlyTraces('metrics'));
    if (body.resourceLogs !== undefined) throw badRequest(onlyTraces('logs'));
    if (body.resource_spans !== undefined)
      throw badRequest('OTLP/JSON names are lowerCamelCase: resourceSpans');
  }
  return readSpans(body, now);
}

function readProtobuf(bytes: Uint8Array, now: number): SpanBatch {
  let request: { [field: string]: unknown };
  try {
    request = decodeProtobuf(bytes, 'ExportTraceServiceRequest');
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw foreignSignal(bytes) ?? new AppError(400, 'The body is not an OTLP trace request', { cause });
  }
  const batch = readSpans(request, now);
  const foreign = batch.spans.length === 0 && batch.refused.length > 0 ? foreignSignal(bytes) : null;
  if (foreign !== null) throw foreign;
  return batch;
}

/** The requests of the three signals differ only in their innermost message. */
function foreignSignal(bytes: Uint8Array): AppError | null {
  const metric = firstOf(bytes, 'ExportMetricsServiceRequest', [
    'resourceMetrics',
    'scopeMetrics',
    'metrics',
  ]);
  if (metric !== null && 'name' in metric && Object.keys(metric).length > 1)
    return badRequest(onlyTraces('metrics'));
  const record = firstOf(bytes, 'ExportLogsServiceRequest', ['resourceLogs', 'scopeLogs', 'logRecords']);
  return record !== null && Object.keys(record).length > 0 ? badRequest(onlyTraces('logs')) : null;
}

function firstOf(bytes: Uint8Array, message: MessageName, path: readonly string[]): object | null {
  try {
    let found: unknown = decodeProtobuf(bytes, message);
    for (const name of path) found = isObject(found) && Array.isArray(found[name]) ? found[name][0] : null;
    return isObject(found) ? found : null;
  } catch {
    return null;
  }
}
