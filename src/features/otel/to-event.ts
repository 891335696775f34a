import type { EventKind } from '../../core/events/contract.ts';
import { type ParsedEvent, spanEventId } from '../../core/events/index.ts';
import type { Redactor } from '../../lib/redact.ts';
import { parseInstant } from '../../lib/time.ts';
import { isCallKind, kindOf } from './kind-of.ts';
import * as map from './mapping.ts';
import { readInput, readOutput } from './read-content.ts';
import { readFinishReasons } from './read-finish-reasons.ts';
import { readMetadata } from './read-metadata.ts';
import { NO_TOKENS, readUsage } from './read-usage.ts';
import { cleanText, firstFlag, firstMilliseconds, firstText, lookUp, parsed } from './source.ts';
import type { Span } from './span.ts';
import { statusOf } from './status-of.ts';

/** What the reading of a span depends on besides the span. */
export type SpanContext = {
  readonly redact: Redactor;
  readonly storePrompts: boolean;
  /** The provider of a model of that name, for clients that do not name one; null where it is not known. */
  readonly inferProvider: (model: string) => string | null;
};

const NS_PER_MS = 1_000_000n;

/** The event of a span. Text that is too long is cut: an exporter could not correct it. */
export function toEvent(span: Span, ctx: SpanContext): ParsedEvent {
  const kind = kindOf(span);
  const isCall = isCallKind(kind);
  const reasons = isCall ? readFinishReasons(span) : [];
  const { tokens, usage } = isCall ? readUsage(span) : { tokens: NO_TOKENS, usage: null };
  const answered = tokens.output_tokens > 0 || reasons.length > 0;
  const outcome = statusOf(span, { isCall, answered, finish: reasons[0] ?? null });
  const model = isCall ? firstText(span, map.MODEL) : null;
  const ttft_ms = isCall ? readTtft(span) : null;
  return {
    event_id: spanEventId(span.traceId, span.spanId),
    ts: Number(span.start / NS_PER_MS),
    dated: true,
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    kind,
    name: null,
    provider: isCall ? providerOf(span, model, ctx) : null,
    model,
    operation: cleanText(span.name, 500) ?? 'unnamed',
    status: outcome.status,
    error_code: outcome.error_code,
    error_message: outcome.error_message,
    latency_ms: span.end === null ? null : Number(span.end - span.start) / 1e6,
    ttft_ms,
    input_tokens: tokens.input_tokens,
    output_tokens: tokens.output_tokens,
    cached_input_tokens: tokens.cached_input_tokens,
    cache_write_tokens: tokens.cache_write_tokens,
    reasoning_tokens: tokens.reasoning_tokens,
    cost_usd: null,
    stream: isCall && streams(span, ttft_ms),
    environment: firstText(span, map.TEXT_FIELDS.environment) ?? 'production',
    user_id: firstText(span, map.TEXT_FIELDS.user_id),
    session_id: firstText(span, map.TEXT_FIELDS.session_id),
    agent: entityOf(span, kind, { kind: 'agent', rule: map.AGENT }),
    tool: entityOf(span, kind, { kind: 'tool', rule: map.TOOL }),
    release: firstText(span, map.TEXT_FIELDS.release),
    prompt_name: isCall ? firstText(span, map.TEXT_FIELDS.prompt_name) : null,
    prompt_version: isCall ? firstText(span, map.TEXT_FIELDS.prompt_version) : null,
    prompt_hash: null,
    sdk_version: sdkVersion(span),
    finish_reason: reasons[0] ?? null,
    tags: null,
    metadata: orNull(readMetadata(span, isCall, reasons), ctx.redact),
    usage: usage === null ? null : orNull(usage, ctx.redact),
    input: ctx.storePrompts ? readInput(span.attributes) : null,
    output: ctx.storePrompts ? readOutput(span.attributes) : null,
  };
}

function providerOf(span: Span, model: string | null, ctx: SpanContext): string | null {
  const named = firstText(span, map.PROVIDER)?.toLowerCase().replace(map.PROVIDER_INTERFACE, '');
  return named || (model === null ? null : ctx.inferProvider(model));
}

function entityOf(
  span: Span,
  kind: EventKind,
  wanted: { kind: EventKind; rule: typeof map.AGENT },
): string | null {
  return firstText(span, wanted.rule) ?? (kind === wanted.kind ? firstText(span, map.ENTITY) : null);
}

/** Milliseconds to the first chunk; those of a moment are counted from the start of the span. */
function readTtft(span: Span): number | null {
  const stated = firstMilliseconds(span, map.TTFT);
  if (stated !== null) return stated;
  for (const source of map.FIRST_TOKEN_AT) {
    const value = lookUp(span, source);
    const text = typeof value === 'string' ? parsed(value) : null;
    const at = typeof text === 'string' ? parseInstant(text) : null;
    const ttft = at === null ? -1 : at - Number(span.start) / 1e6;
    if (ttft >= 0 && ttft <= 1e10) return ttft;
  }
  return null;
}

/** A time to first token implies a stream, whatever the flags say; no flag at all does not deny one. */
function streams(span: Span, ttft: number | null): boolean {
  if (ttft !== null) return true;
  const flag = firstFlag(span, map.STREAM);
  if (flag !== null) return flag;
  const operation = firstText(span, { from: map.STREAM_OPERATION.from, max: 200 });
  return operation !== null && map.STREAM_OPERATION.pattern.test(operation);
}

/** The instrumentation that made the span, or the SDK that sent it where that has no version. */
function sdkVersion({ scope, resource }: Span): string | null {
  if (scope.name !== '' && scope.version !== '') return cleanText(`${scope.name}@${scope.version}`, 200);
  const version = resource.get('telemetry.sdk.version');
  const name = resource.get('telemetry.sdk.name') ?? 'opentelemetry';
  return typeof version === 'string' ? cleanText(`${name}@${version}`, 200) : cleanText(scope.name, 200);
}

type JsonObject = Readonly<Record<string, unknown>>;

function orNull(object: JsonObject, redact: Redactor): JsonObject | null {
  for (const _ in object) return redact(object);
  return null;
}
