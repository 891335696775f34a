import type { EventKind } from '../../../core/events/contract.ts';
import { type ParsedEvent, spanEventId } from '../../../core/events/index.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { parseInstant } from '../../../lib/time.ts';
import { cleanText, parsed, type Rule, readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { isCallKind, kindOf } from './kind-of.ts';
import * as map from './mapping.ts';
import { noteCutOff } from './note-cut-off.ts';
import { readInput, readOutput } from './read-content.ts';
import { NO_REASONS, readFinishReasons } from './read-finish-reasons.ts';
import { readMetadata } from './read-metadata.ts';
import { NO_MODEL, type Providers, readModel } from './read-model.ts';
import { readLabels } from './read-own-values.ts';
import { readUsage } from './read-usage.ts';
import { NO_TOKENS } from './read-usage-details.ts';
import { statusOf, withoutAnswer } from './status-of.ts';

/** The context for reading a span. */
export type SpanContext = {
  readonly redact: Redactor;
  readonly storePrompts: boolean;
  /** Whether input and output stay in the event though they are not stored: the caller takes them out. */
  readonly passesContent?: boolean;
} & Providers;

const NS_PER_MS = 1_000_000n;

/** Converts a span to an event. Text that is too long is cut, because an exporter could not correct it. */
export function toEvent(span: Span, ctx: SpanContext): ParsedEvent {
  const { kind } = kindOf(span);
  const isCall = isCallKind(kind);
  const reasons = isCall ? readFinishReasons(span) : NO_REASONS;
  const { tokens, usage: counted } = isCall ? readUsage(span) : { tokens: NO_TOKENS, usage: null };
  const answered = tokens.output_tokens > 0 || reasons.first !== null;
  const outcome = statusOf(span, { isCall, answered, finish: reasons.first });
  const { provider, model } = isCall ? readModel(span, ctx) : NO_MODEL;
  const ttft_ms = isCall ? readTtft(span) : null;
  const reply = { tokens, finish: reasons.first, hasBegun: ttft_ms !== null };
  const usage = isCall ? noteCutOff(counted, outcome, reply) : null;
  return {
    event_id: spanEventId(span.traceId, span.spanId),
    ts: Number(span.start / NS_PER_MS),
    dated: true,
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    kind,
    name: null,
    provider,
    model,
    operation: cleanText(span.name, 500) ?? 'unnamed',
    status: outcome.status,
    error_code: outcome.error_code,
    error_message: ctx.storePrompts ? outcome.error_message : withoutAnswer(outcome.error_message),
    latency_ms: span.end === null ? null : Number(span.end - span.start) / 1e6,
    ttft_ms,
    input_tokens: tokens.input_tokens,
    output_tokens: tokens.output_tokens,
    cached_input_tokens: tokens.cached_input_tokens,
    cache_write_tokens: tokens.cache_write_tokens,
    reasoning_tokens: tokens.reasoning_tokens,
    cost_usd: isCall ? readField(span, map.COST) : null,
    stream: isCall && streams(span, ttft_ms),
    environment: readField(span, map.ENVIRONMENT) ?? 'production',
    user_id: readField(span, map.USER_ID),
    session_id: readField(span, map.SESSION_ID),
    agent: readField(span, map.AGENT) ?? (kind === 'agent' ? entityOf(span, map.AGENT_ENTITY) : null),
    agent_version: readField(span, map.AGENT_VERSION),
    tool: toolOf(span, kind),
    release: readField(span, map.RELEASE),
    prompt_name: isCall ? readField(span, map.PROMPT_NAME) : null,
    prompt_version: isCall ? readField(span, map.PROMPT_VERSION) : null,
    prompt_hash: null,
    sdk_version: sdkVersion(span),
    finish_reason: reasons.first,
    tags: readTags(span, ctx.redact),
    metadata: orNull(readMetadata(span, isCall, reasons), ctx.redact),
    usage: usage === null ? null : orNull(usage, ctx.redact),
    input: ctx.storePrompts || ctx.passesContent ? readInput(span.attributes) : null,
    output: ctx.storePrompts || ctx.passesContent ? readOutput(span.attributes) : null,
  };
}

function toolOf(span: Span, kind: EventKind): string | null {
  if (isCallKind(kind) && map.NAMES_TOOL_ASKED_FOR.test(span.scope.name)) return null;
  return readField(span, map.TOOL) ?? (kind === 'tool' ? entityOf(span, map.TOOL_ENTITY) : null);
}

/** The name of an agent or a tool. Langfuse's observations are named after it. */
function entityOf(span: Span, rule: Rule<string>): string | null {
  const named = readField(span, rule);
  return named ?? (span.attributes.has(map.LANGFUSE_TYPE) ? cleanText(span.name, 300) : null);
}

/** Milliseconds to the first chunk; a point in time is measured from the start of the span. */
function readTtft(span: Span): number | null {
  const stated = readField(span, map.TTFT);
  if (stated !== null) return stated;
  const moment = parsed(readField(span, map.FIRST_TOKEN_AT) ?? undefined);
  const at = typeof moment === 'string' ? parseInstant(moment) : null;
  const ttft = at === null ? -1 : at - Number(span.start) / 1e6;
  return ttft >= 0 && ttft <= 1e10 ? ttft : null;
}

/** A time to first token implies a stream, whatever the flags say. */
function streams(span: Span, ttft: number | null): boolean {
  if (ttft !== null) return true;
  return readField(span, map.STREAM) ?? readField(span, map.STREAM_OPERATION) ?? false;
}

/** The instrumentation that created the span, or the SDK that sent it if the instrumentation has no version. */
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

function readTags(span: Span, redact: Redactor): JsonObject | null {
  const labels = readLabels(span);
  return labels === null ? null : redact(labels);
}
