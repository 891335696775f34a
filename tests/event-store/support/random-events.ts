import { EVENT_KINDS, EVENT_STATUSES } from '../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import { isAnswered } from '../../../src/core/events/index.ts';
import { builtInPricer, type UsageBuckets } from '../../../src/core/pricing/index.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { createRandom } from '../../helpers/random.ts';
import { makeEvent } from './make-event.ts';

/** An event as it is recorded, with the project key with which it came. */
export type SentEvent = PricedEvent & { readonly key_id: string | null };

export const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-haiku-4-5'],
  ['azure', 'gpt-4o'],
] as const;
const OUTCOMES = [null, 'guardrail_flagged', 'guardrail_redacted', 'guardrail_blocked'];
const ERROR_CODES = ['server_error', 'overloaded', null];
export const KEYS = ['key_1', 'key_2', null] as const;
const EVENTS_PER_TRACE = 5;
const TRACE_MS = 6 * HOUR_MS;

/** Events of all kinds, in no order, between two times in epoch milliseconds; spans of a trace within six hours. */
export function randomEvents(seed: number, count: number, from: number, to: number): SentEvent[] {
  const random = createRandom(seed);
  const draw: Draw = {
    random,
    pick: (values) => values[Math.floor(random() * values.length)] as (typeof values)[number],
    int: (max) => Math.floor(random() * max),
  };
  const traces = Array.from({ length: Math.ceil(count / EVENTS_PER_TRACE) }, (_, place): Trace => {
    const start = from + random() * Math.max(1, to - from - TRACE_MS);
    // Ids as OTLP has them, and any text.
    const isHex = place % 3 !== 0;
    return {
      id: isHex ? hexOf(draw, 32) : `trace ${seed} ${place}`,
      isHex,
      start,
      spans: [],
      times: new Set(),
    };
  });
  return Array.from({ length: count }, () => {
    const trace = draw.pick(traces);
    const end = Math.min(to, trace.start + TRACE_MS);
    // Some share a time to the millisecond, so that ids decide their order.
    const ts = Math.floor(trace.start + random() * (end - trace.start));
    const moment = random() < 0.1 ? Math.floor(ts / HOUR_MS) * HOUR_MS : ts;
    let free = Math.max(from, moment);
    while (trace.times.has(free)) free++;
    trace.times.add(free);
    return randomEvent(draw, trace, free);
  });
}

type Draw = {
  random(): number;
  pick<T>(values: readonly T[]): T;
  int(max: number): number;
};
type Trace = {
  readonly id: string;
  readonly isHex: boolean;
  readonly start: number;
  readonly spans: string[];
  /** Each span starts at a time of its own: of roots that start together, any may name the trace. */
  readonly times: Set<number>;
};

function randomEvent(draw: Draw, { id: trace_id, isHex, spans }: Trace, ts: number): SentEvent {
  const { random, pick, int } = draw;
  const kind = random() < 0.7 ? 'llm' : pick(EVENT_KINDS);
  const status = random() < 0.7 ? 'success' : pick(EVENT_STATUSES);
  const is_call = kind === 'llm' || kind === 'embedding';
  const [provider, model] = is_call ? pick(MODELS) : [null, null];
  const parent_span_id = random() < 0.3 || spans.length === 0 ? null : pick([...spans, 'never-sent']);
  const event = makeEvent({
    event_id: uuid(draw),
    span_id: isHex ? hexOf(draw, 16) : `span ${spans.length}`,
    ts,
    trace_id,
    parent_span_id,
    kind,
    provider,
    model,
    status,
    name: random() < 0.5 ? `step ${int(3)}` : null,
    error_code: kind === 'guardrail' ? pick(OUTCOMES) : status === 'success' ? null : pick(ERROR_CODES),
    latency_ms: random() < 0.1 ? null : random() < 0.1 ? 0 : wholeMicros(Math.exp(random() * 12) / 7),
    ttft_ms: random() < 0.5 ? wholeMicros(random() * 300) : null,
    stream: random() < 0.5,
    environment: pick(['production', 'staging']),
    user_id: random() < 0.3 ? null : `user-${int(5)}`,
    session_id: random() < 0.5 ? null : `session-${int(5)}`,
    tags:
      random() < 0.3
        ? null
        : { team: `team ${int(3)}`, ...(random() < 0.5 ? { tier: [0, 1, ''][int(3)] } : {}) },
    ...randomOrigin(draw),
    metadata: random() < 0.2 ? { note: `note ${int(100)}` } : null,
  });
  spans.push(event.span_id);
  const tokens = randomTokens(draw);
  return { ...event, ...tokens, ...pricingOf(draw, event, tokens.buckets), key_id: pick(KEYS) };
}

/** What an event says about the application that made it. */
function randomOrigin({ random, int }: Draw): Partial<PricedEvent> {
  const maybe = (name: string, share = 0.5): string | null => (random() < share ? `${name} ${int(2)}` : null);
  return {
    release: maybe('v', 0.8),
    agent_version: maybe('a', 0.6),
    agent: maybe('agent'),
    tool: maybe('tool', 0.2),
    prompt_name: maybe('prompt'),
    prompt_version: maybe('version'),
    finish_reason: maybe('end'),
  };
}

/** Token buckets, and the counts of which they were made: with the cached and reasoning tokens in them or beside. */
function randomTokens({ random, int, pick }: Draw) {
  const maybe = (share: number, max: number): number => (random() < share ? int(max) : 0);
  const buckets: UsageBuckets = {
    fresh: int(2000),
    cacheRead: maybe(0.5, 1000),
    cacheWrite5m: maybe(0.3, 1000),
    cacheWrite1h: maybe(0.1, 1000),
    output: maybe(0.8, 500),
    reasoning: maybe(0.2, 500),
  };
  const written = buckets.cacheWrite5m + buckets.cacheWrite1h;
  const isInclusive = pick([true, false]);
  return {
    buckets,
    input_tokens: buckets.fresh + (isInclusive ? buckets.cacheRead + written : 0),
    output_tokens: buckets.output + (isInclusive ? buckets.reasoning : 0),
    cached_input_tokens: buckets.cacheRead,
    cache_write_tokens: written,
    reasoning_tokens: buckets.reasoning,
  };
}

const pricer = builtInPricer();

/** A call costs what the catalogue says, or what its sender stated, or its price is not known. */
function pricingOf(draw: Draw, event: PricedEvent, buckets: UsageBuckets): Partial<PricedEvent> {
  if (!event.is_call) return {};
  const { provider, model, ts, status } = event;
  const priced = pricer.priceCall({ provider, model, ts, buckets, answered: isAnswered(status) });
  const dice = draw.random();
  if (dice < 0.1 || priced.status === 'unpriced') return { cost_nano: null, cost_status: 'unpriced' };
  if (dice < 0.4) return { cost_nano: draw.int(1e8), cost_status: 'client' };
  return { cost_nano: priced.cost_nano, cost_status: priced.status, price: priced.price };
}

const hexOf = ({ int }: Draw, digits: number): string =>
  Array.from({ length: digits }, () => int(16).toString(16)).join('');

/** A UUID of version 4, the same for the same seed. */
function uuid(draw: Draw): string {
  const hex = hexOf(draw, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const wholeMicros = (ms: number): number => Math.round(ms * 1000) / 1000;
