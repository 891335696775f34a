import { randomBelow } from '../helpers/random.ts';
import { costOf, isFailure, type Sent } from '../helpers/recount.ts';

/** A span as the test sends it. Spans of another kind than `llm` are no calls and cost nothing. */
export type Span = Omit<Sent, 'user_id'> & {
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly kind: 'llm' | 'tool' | 'agent';
  readonly user_id?: string;
  readonly session_id?: string;
  readonly tags?: { readonly team: string };
  readonly usage?: Readonly<Record<string, unknown>>;
};

export const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
export const time = (span: Span): number => Date.parse(span.timestamp);
export const iso = (ms: number): string => new Date(ms).toISOString();
export const midnight = (ms: number): number => Math.floor(ms / DAY) * DAY;
export const isCall = ({ kind }: Span): boolean => kind === 'llm';

/** Nano-dollars of a call; null without a price. Rates are whole nano-dollars per token, so sums are exact. */
export function nanoOf(span: Span): number | null {
  const usd = costOf({ ...span, user_id: '' });
  return usd === null ? null : Math.round(usd * 1e9);
}

export type Figures = {
  readonly calls: number;
  readonly unpriced: number;
  readonly nano: number;
  readonly errors: number;
  readonly input: number;
  readonly output: number;
};

/** What the calls among some spans add up to. */
export function figuresOf(spans: readonly Span[]): Figures {
  const calls = spans.filter(isCall);
  const sum = (of: (span: Span) => number): number => calls.reduce((all, span) => all + of(span), 0);
  return {
    calls: calls.length,
    unpriced: calls.filter((span) => nanoOf(span) === null).length,
    nano: sum((span) => nanoOf(span) ?? 0),
    errors: calls.filter((span) => isFailure({ ...span, user_id: '' })).length,
    input: sum((span) => span.input_tokens),
    output: sum((span) => span.output_tokens),
  };
}

const random = randomBelow();
const chance = (p: number): boolean => random(1_000_000) < p * 1_000_000;
const oneOf = <T>(values: readonly [T, ...T[]]): T => values[random(values.length)] ?? values[0];

/**
 * Traces of the last 40 days up to a few minutes before `now`: short ones, some over midnight, and some over several
 * days, with silences of more than a day. Calls are priced, estimated, stated by the sender and without a price.
 */
export function makeTraces(count: number, now: number): Span[] {
  return Array.from({ length: count }, () => makeTrace(now)).flat();
}

function makeTrace(now: number): Span[] {
  const latest = now - 5 * MINUTE;
  const length = oneOf(['short', 'short', 'short', 'midnight', 'days']);
  const day = midnight(now) - random(40) * DAY;
  const start = length === 'midnight' ? day - random(10 * MINUTE) : day + random(DAY);
  const step = length === 'short' ? 20_000 : length === 'midnight' ? 10 * MINUTE : 40 * HOUR;
  const common = {
    trace_id: crypto.randomUUID().replaceAll('-', ''),
    environment: oneOf(['production', 'staging']),
    ...(chance(0.8) ? { user_id: `user-${random(9)}` } : {}),
    ...(chance(0.5) ? { session_id: `session-${random(25)}` } : {}),
    ...(chance(0.7) ? { tags: { team: oneOf(['red', 'green', 'blue']) } } : {}),
  };
  const spans: Span[] = [];
  let at = start;
  for (let i = 0; i <= 1 + random(5); i++) {
    if (at > latest) break;
    const parent = spans[0]?.span_id;
    const kind = i === 0 ? oneOf(['agent', 'llm'] as const) : oneOf(['llm', 'llm', 'tool'] as const);
    spans.push({
      ...makeSpan(kind),
      ...common,
      timestamp: iso(at),
      ...(parent === undefined ? {} : { parent_span_id: parent }),
    });
    at += 1 + random(step);
  }
  return spans;
}

function makeSpan(kind: Span['kind']): Omit<Span, 'trace_id' | 'timestamp' | 'environment'> {
  const ids = { event_id: crypto.randomUUID(), span_id: crypto.randomUUID().slice(0, 8), kind };
  const status = oneOf<Sent['status']>(['success', 'success', 'success', 'error', 'timeout', 'rate_limited']);
  const span = { ...ids, status, stream: false, latency_ms: 1 + random(4_000) } as const;
  const nothing = {
    provider: 'openai',
    model: 'none',
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
  };
  if (kind !== 'llm') return { ...span, ...nothing };
  const input_tokens = 1 + random(5_000);
  const isKnown = chance(0.85);
  return {
    ...span,
    provider: isKnown ? 'openai' : 'acme',
    model: isKnown ? oneOf(['gpt-4o', 'gpt-4o-mini']) : 'unheard-of',
    input_tokens,
    cached_input_tokens: random(input_tokens + 1),
    output_tokens: random(2_000),
    ...(chance(0.1) ? { cost_usd: random(1_000_000) / 1e6 } : {}),
    // A count that no rate answers: the cost is an estimate.
    ...(chance(0.1) ? { usage: { completion_tokens_details: { hologram_tokens: 3 } } } : {}),
  };
}
