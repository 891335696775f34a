import { z } from 'zod';
import { outcomeCode } from '../../lib/guardrails/outcome-code.ts';
import { EVENT_JSON_LIMITS, jsonProblem } from '../../lib/json-limits.ts';
import type { Redactor } from '../../lib/redact.ts';
import { DAY_MS, parseInstant } from '../../lib/time.ts';
import { statedCost, type TokenFields, usageFromRaw } from '../pricing/index.ts';
import type { ParsedEvent } from './event.ts';
import { type EventInput, eventInputSchema } from './input/contract.ts';
import { intendedField, isContentName, looksLikeContent } from './unknown-fields.ts';

/** Settings for parsing an event. */
export type ParseContext = {
  /** Redacts values of sensitive keys; created once per key list. */
  readonly redact: Redactor;
  /** Whether the project keeps prompts and completions. */
  readonly storePrompts: boolean;
  /** Whether input and output stay in the event though they are not stored: the caller takes them out. */
  readonly passesContent?: boolean;
  /** Time of receipt in epoch milliseconds. */
  readonly now: number;
};

export type ParseResult =
  /** `warnings`: what became of fields that the sender may have misspelled. */
  | { readonly ok: true; readonly event: ParsedEvent; readonly warnings: readonly string[] }
  /** `error` is for the sender. It names the field, the expected value and the actual one. */
  | { readonly ok: false; readonly error: string };

type JsonObject = Readonly<Record<string, unknown>>;

/** Ten calendar years have 3,652 or 3,653 days. */
const OLDEST_MS = 3_653 * DAY_MS;
const NEWEST_MS = DAY_MS;
const MAX_ERRORS = 3;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** The schema's rule for one field, in a form that takes about 20 ns to check. */
type Rule =
  | { readonly type: 'text'; readonly min: number; readonly max: number }
  | { readonly type: 'number'; readonly min: number; readonly max: number; readonly whole: boolean }
  | { readonly type: 'enum'; readonly options: ReadonlySet<unknown> }
  | { readonly type: 'uuid' | 'boolean' | 'object' | 'any' };

const toRule = (field: z.core.$ZodType): Rule => {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return toRule(field.unwrap());
  if (field instanceof z.ZodString) {
    return { type: 'text', min: field.minLength ?? 0, max: field.maxLength ?? Number.POSITIVE_INFINITY };
  }
  if (field instanceof z.ZodNumber) {
    const { minValue, maxValue } = field;
    return { type: 'number', min: minValue ?? -Infinity, max: maxValue ?? Infinity, whole: field.isInt };
  }
  if (field instanceof z.ZodEnum) return { type: 'enum', options: new Set(field.options) };
  if (field instanceof z.ZodGUID) return { type: 'uuid' };
  if (field instanceof z.ZodBoolean) return { type: 'boolean' };
  if (field instanceof z.ZodRecord) return { type: 'object' };
  if (field instanceof z.ZodUnknown) return { type: 'any' };
  throw new Error('eventInputSchema has a field of a kind that parseEvent does not know');
};

/**
 * The rules of `eventInputSchema` by field. zod visits all fields of the schema, which takes 5 µs per event; checking
 * only the present fields takes a fraction of that. Tests verify that both agree on any input.
 */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries(eventInputSchema.shape).map(([name, field]) => [name, toRule(field)]),
);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const follows = (rule: Rule, value: unknown): boolean => {
  switch (rule.type) {
    case 'text': {
      if (typeof value !== 'string' || value.length > rule.max || value.length < rule.min) return false;
      return !value.includes('\0');
    }
    case 'number': {
      if (typeof value !== 'number' || !(value >= rule.min && value <= rule.max)) return false;
      return !rule.whole || Number.isInteger(value);
    }
    case 'enum':
      return rule.options.has(value);
    case 'uuid':
      return typeof value === 'string' && UUID.test(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return isObject(value);
    case 'any':
      return true;
  }
};

const expectation = (rule: Rule): string => {
  switch (rule.type) {
    case 'text': {
      const length = rule.min > 0 ? `${rule.min} to ${rule.max}` : `at most ${rule.max}`;
      return `a string of ${length} characters without NUL`;
    }
    case 'number':
      return `a ${rule.whole ? 'whole ' : ''}number from ${rule.min} to ${rule.max}`;
    case 'enum':
      return `one of ${[...rule.options].join(', ')}`;
    case 'uuid':
      return 'a UUID';
    case 'boolean':
      return 'true or false';
    default:
      return 'a JSON object';
  }
};

/** At most 80 characters of a value, quoted and escaped as in JSON, never cut inside a character. */
const quote = (text: string): string => {
  const quoted = JSON.stringify(text.slice(0, 80));
  return quoted.length > 80 || text.length > 80 ? `${quoted.slice(0, 79).toWellFormed()}…` : quoted;
};

/**
 * Describes the actual value. Text is quoted only if a fixed set of words, an id or a number was expected, because
 * other text may be personal data.
 */
const finding = (value: unknown, rule: Rule): string => {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return String(value);
  if (rule.type === 'enum' || rule.type === 'uuid' || rule.type === 'number') return quote(value);
  if (rule.type !== 'text') return 'a string';
  return value.includes('\0') ? 'one with NUL' : `${value.length} characters`;
};

const ISO = 'ISO 8601 like 2026-01-31T12:00:00.000Z';

const fieldError = (name: string, rule: Rule, value: unknown): string => {
  const wanted = name === 'timestamp' && typeof value !== 'string' ? ISO : expectation(rule);
  return `${name} must be ${wanted}, got ${finding(value, rule)}`;
};

/** Errors for missing fields without which a call cannot be priced or compared. */
const requiredErrors = (input: EventInput): string[] => {
  const kind = input.kind ?? 'llm';
  if (kind !== 'llm' && kind !== 'embedding') return [];
  const missing = (['model', 'provider'] as const).filter((name) => !input[name]?.trim());
  return missing.map((name) => `${name} is required for an event of kind ${kind}`);
};

/** The time of an event in epoch milliseconds, or an error. */
const readTimestamp = (text: string, now: number): number | string => {
  const ts = parseInstant(text);
  const got = (): string => `got ${quote(text)}`;
  if (ts === null) return `timestamp must be ${ISO}, ${got()}`;
  if (ts < now - OLDEST_MS) return `timestamp must not be more than 10 years back, ${got()}`;
  if (ts > now + NEWEST_MS) return `timestamp must not be more than a day ahead, ${got()}`;
  return ts;
};

/** Whether an object is absent or empty. */
const isEmpty = (object: JsonObject | null | undefined): boolean => {
  for (const _ in object) return false;
  return true;
};

/**
 * The sender's `metadata` plus the unknown fields. If `metadata` already has a key of that name, the field is stored
 * as `_name`; if that exists too, the event is refused. Searching for a free name would take quadratic time for a
 * hostile sender.
 */
const withUnknown = (
  raw: JsonObject,
  names: readonly string[],
  metadata: EventInput['metadata'],
): JsonObject | string => {
  const merged: Record<string, unknown> = Object.create(null);
  for (const key in metadata) merged[key] = metadata[key];
  for (const name of names) {
    const key = name in merged ? `_${name}` : name;
    if (key in merged) return `${quote(name)} is not a known field, and metadata has one of that name`;
    merged[key] = raw[name];
  }
  return merged;
};

/** Random bytes as lower-case hex: 16 for a trace, 8 for a span (W3C Trace Context, 3.2.2). */
const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();

/** Adding 0 turns -0 into 0. */
const count = (value: number | null | undefined): number => (value ?? 0) + 0;
const figure = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : value + 0;

/** The sent token counts; without any, those of the provider's usage object. */
const readTokens = (input: EventInput): TokenFields => {
  const { input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens } = input;
  const stated =
    input_tokens ?? output_tokens ?? cached_input_tokens ?? cache_write_tokens ?? reasoning_tokens ?? null;
  const fromUsage = stated === null && input.usage ? usageFromRaw(input.usage) : null;
  return (
    fromUsage ?? {
      input_tokens: count(input_tokens),
      output_tokens: count(output_tokens),
      cached_input_tokens: count(cached_input_tokens),
      cache_write_tokens: count(cache_write_tokens),
      reasoning_tokens: count(reasoning_tokens),
    }
  );
};

const redactedOrNull = (object: JsonObject | null | undefined, redact: Redactor): JsonObject | null =>
  object === null || object === undefined || isEmpty(object) ? null : redact(object);

/** What an agent's or tool's own event is called after, cut to what the field may hold. */
const nameOf = ({ name }: EventInput): string | undefined => name?.slice(0, 300).toWellFormed();

/** Builds the event from validated fields: defaults, redaction, prompt storage. Empty text becomes null. */
const buildEvent = (
  input: EventInput,
  metadata: JsonObject | null | undefined,
  ts: number | null,
  ctx: ParseContext,
): ParsedEvent => {
  const tokens = readTokens(input);
  return {
    event_id: input.event_id?.toLowerCase() ?? Bun.randomUUIDv7(),
    ts: ts ?? ctx.now,
    dated: ts !== null || !input.event_id,
    trace_id: input.trace_id ?? randomHex(16),
    span_id: input.span_id ?? randomHex(8),
    parent_span_id: input.parent_span_id || null,
    kind: input.kind ?? 'llm',
    name: input.name || null,
    provider: input.provider || null,
    model: input.model || null,
    operation: input.operation || 'chat',
    status: input.status ?? 'success',
    error_code: input.error_code || (input.kind === 'guardrail' ? outcomeCode(input.metadata) : null),
    error_message: input.error_message || null,
    latency_ms: figure(input.latency_ms),
    ttft_ms: figure(input.ttft_ms),
    input_tokens: tokens.input_tokens,
    output_tokens: tokens.output_tokens,
    cached_input_tokens: tokens.cached_input_tokens,
    cache_write_tokens: tokens.cache_write_tokens,
    reasoning_tokens: tokens.reasoning_tokens,
    cost_usd: figure(input.cost_usd) ?? statedCost(input.provider ?? null, input.usage ?? null),
    stream: input.stream ?? false,
    environment: input.environment || 'production',
    user_id: input.user_id || null,
    session_id: input.session_id || null,
    // An agent's or tool's own event is called after it.
    agent: input.agent || (input.kind === 'agent' && nameOf(input)) || null,
    agent_version: input.agent_version || null,
    tool: input.tool || (input.kind === 'tool' && nameOf(input)) || null,
    release: input.release || null,
    prompt_name: input.prompt_name || null,
    prompt_version: input.prompt_version || null,
    prompt_hash: input.prompt_hash || null,
    sdk_version: input.sdk_version || null,
    finish_reason: input.finish_reason || null,
    tags: redactedOrNull(input.tags, ctx.redact),
    metadata: redactedOrNull(metadata, ctx.redact),
    usage: redactedOrNull(input.usage, ctx.redact),
    input: ctx.storePrompts || ctx.passesContent ? (input.input ?? null) : null,
    output: ctx.storePrompts || ctx.passesContent ? (input.output ?? null) : null,
  };
};

/**
 * Parses one event as a client sends it: validates it against `eventInputSchema`, applies defaults, moves unknown
 * fields to `metadata`, redacts sensitive values in `tags`, `metadata` and `usage`, and drops prompt and completion
 * unless the project stores them. Null counts as absent. An unknown field whose name `metadata` already has is stored
 * as `_name`.
 * @param raw a parsed JSON value; it is not modified
 * @returns the event, or the first few errors
 * @example parseEvent({ provider: 'openai', model: 'gpt-4o' }, { redact, storePrompts: false, now })
 */
export const parseEvent = (raw: unknown, ctx: ParseContext): ParseResult => {
  if (Array.isArray(raw))
    return {
      ok: false,
      error: 'event must be a JSON object: send each event of a list on a line of its own',
    };
  if (!isObject(raw)) return { ok: false, error: 'event must be a JSON object' };
  const problem = jsonProblem(raw, EVENT_JSON_LIMITS, 'event');
  if (problem !== null) return { ok: false, error: problem };

  const errors: string[] = [];
  const unknown: string[] = [];
  const warnings: string[] = [];
  for (const name of Object.keys(raw)) {
    const value = raw[name];
    if (value === null || value === undefined) continue;
    const rule = RULES.get(name);
    if (rule === undefined) {
      const fate = fateOf(name, value, ctx);
      if (fate.isKept) unknown.push(name);
      if (fate.warning !== null) warnings.push(fate.warning);
    } else if (!follows(rule, value)) errors.push(fieldError(name, rule, value));
  }
  const fail = (): ParseResult => ({ ok: false, error: errors.slice(0, MAX_ERRORS).join('; ') });
  if (errors.length > 0) return fail();

  const input = raw as EventInput;
  errors.push(...requiredErrors(input));
  const ts = typeof input.timestamp === 'string' ? readTimestamp(input.timestamp, ctx.now) : null;
  if (typeof ts === 'string') errors.push(ts);
  const metadata = unknown.length > 0 ? withUnknown(raw, unknown, input.metadata) : input.metadata;
  if (typeof metadata === 'string') errors.push(metadata);
  if (errors.length > 0 || typeof ts === 'string' || typeof metadata === 'string') return fail();
  return { ok: true, event: buildEvent(input, metadata, ts, ctx), warnings };
};

type Fate = { readonly isKept: boolean; readonly warning: string | null };
const KEPT: Fate = { isKept: true, warning: null };

/** What becomes of an unknown field: metadata, unless it is or may be content of a project that stores none. */
const fateOf = (name: string, value: unknown, { storePrompts }: ParseContext): Fate => {
  if (!storePrompts && isContentName(name)) {
    const why = 'it is content, which this project does not store; content is sent as input and output';
    return { isKept: false, warning: `${quote(name)} was dropped: ${why}` };
  }
  if (!storePrompts && looksLikeContent(name, value)) {
    const why = 'it may hold a prompt or an answer, and this project stores none';
    return { isKept: false, warning: `${quote(name)} was dropped: ${why}` };
  }
  const field = intendedField(name, RULES);
  if (field === null) return KEPT;
  return { isKept: true, warning: `${quote(name)} is not a field and was kept as metadata: send ${field}` };
};
