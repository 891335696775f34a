import { gzipSync } from 'bun';
import { SDK_NAME_AND_VERSION } from '../../src/sdk/version.ts';

/**
 * Which events a benchmark sends. Times run evenly from `from` to `to`, epoch milliseconds. `spreadMs`: each event is
 * up to that much older, at random, and has a prompt hash of its own; without it times are in order and there are no
 * hashes. `customers`: number of values of the tag `customer`; without it the events have no such tag.
 */
export type Span = { from: number; to: number; customers?: number; spreadMs?: number };

/**
 * How far apart the events of one moment are in life: an event has the time at which its call started, and senders
 * collect events for a while.
 */
export const SPREAD_MS = 60_000;

/** The times of `count` events of a span, in the order in which they are sent. */
export function timesOf({ from, to, spreadMs = 0 }: Span, count: number): (place: number) => number {
  const step = (to - from) / Math.max(1, count);
  return (place) => Math.floor(from + place * step - Math.random() * spreadMs);
}

const MODELS = [
  ['openai', 'gpt-4o-mini', 40],
  ['openai', 'gpt-4o', 20],
  ['anthropic', 'claude-sonnet-4-5', 15],
  ['anthropic', 'claude-haiku-4-5', 10],
  ['google', 'gemini-2.5-flash', 10],
  ['openai', 'o4-mini', 4],
  ['acme', 'acme-llm-7b', 1],
] as const;
const STATUSES = [
  ['success', null, 955],
  ['error', 'server_error', 20],
  ['timeout', 'request_timeout', 5],
  ['rate_limited', 'rate_limit_exceeded', 18],
  ['cancelled', 'client_disconnected', 2],
] as const;
const USERS = 1_000;

/** Picks an entry at random; its last element is its weight. */
function pick<T extends readonly [...unknown[], number]>(entries: readonly T[], total: number): T {
  let rest = Math.random() * total;
  for (const entry of entries) {
    rest -= entry.at(-1) as number;
    if (rest < 0) return entry;
  }
  return entries[0] as T;
}

/** 32 hexadecimal digits. */
const randomHex = (): string => crypto.randomUUID().replaceAll('-', '');

/** One call, about 700 bytes of JSON. Users follow a heavy-tailed distribution. */
export function makeEvent(ts: number, { customers = 0, spreadMs = 0 }: Partial<Span> = {}) {
  const [provider, model] = pick(MODELS, 100);
  const [status, error_code] = pick(STATUSES, 1000);
  const input = Math.round(200 + Math.random() ** 3 * 8000);
  const output = Math.round(20 + Math.random() ** 3 * 900);
  const latency = Math.round(200 + output * 12 * (0.6 + Math.random()));
  const trace = randomHex();
  return {
    event_id: crypto.randomUUID(),
    trace_id: trace,
    span_id: randomHex().slice(0, 16),
    timestamp: new Date(ts).toISOString(),
    provider,
    model,
    operation: 'chat',
    status,
    ...(error_code === null
      ? { finish_reason: 'stop' }
      : { error_code, error_message: 'The provider refused' }),
    latency_ms: latency,
    ttft_ms: Math.round(latency / 5),
    stream: true,
    input_tokens: input,
    cached_input_tokens: Math.round(input * 0.4),
    output_tokens: status === 'success' ? output : 0,
    environment: Math.random() < 0.8 ? 'production' : 'staging',
    user_id: `user-${Math.floor(Math.random() ** 3 * USERS)}`,
    session_id: `session-${randomHex().slice(0, 8)}`,
    release: '2.5.1',
    sdk_version: SDK_NAME_AND_VERSION,
    prompt_name: 'docs-answer',
    prompt_version: '5',
    ...(spreadMs === 0 ? {} : { prompt_hash: randomHex() + randomHex() }),
    tags: {
      team: 'support',
      feature: 'answer',
      ...(customers === 0 ? {} : { customer: `customer-${Math.floor(Math.random() * customers)}` }),
    },
    metadata: { region: 'eu-west-1', request_id: randomHex().slice(0, 12), attempt: 1 },
  };
}

/** Batches of gzip NDJSON with unique ids. */
export function makeBatches(count: number, size: number, span: Span): Uint8Array<ArrayBuffer>[] {
  const timeOf = timesOf(span, count * size);
  return Array.from({ length: count }, (_, batch) => {
    const lines = Array.from({ length: size }, (_, i) =>
      JSON.stringify(makeEvent(timeOf(batch * size + i), span)),
    );
    return gzipSync(lines.join('\n'), { level: 1 });
  });
}
