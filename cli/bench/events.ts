import { gzipSync } from 'bun';

/**
 * Time range of a benchmark's events: from `from` to `to`, epoch milliseconds. `customers`: number of values of
 * the tag `customer`; without it the events have no such tag.
 */
export type Span = { from: number; to: number; customers?: number };

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

/** One call, about 700 bytes of JSON. Users follow a heavy-tailed distribution. */
export function makeEvent(ts: number, customers = 0) {
  const [provider, model] = pick(MODELS, 100);
  const [status, error_code] = pick(STATUSES, 1000);
  const input = Math.round(200 + Math.random() ** 3 * 8000);
  const output = Math.round(20 + Math.random() ** 3 * 900);
  const latency = Math.round(200 + output * 12 * (0.6 + Math.random()));
  const trace = crypto.randomUUID().replaceAll('-', '');
  return {
    event_id: crypto.randomUUID(),
    trace_id: trace,
    span_id: trace.slice(0, 16),
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
    session_id: `session-${trace.slice(0, 8)}`,
    release: '2.5.1',
    sdk_version: 'spanledger-ts/0.1.0',
    prompt_name: 'docs-answer',
    prompt_version: '5',
    tags: {
      team: 'support',
      feature: 'answer',
      ...(customers === 0 ? {} : { customer: `customer-${Math.floor(Math.random() * customers)}` }),
    },
    metadata: { region: 'eu-west-1', request_id: trace.slice(0, 12), attempt: 1 },
  };
}

/** Batches of gzip NDJSON with unique ids, spread evenly over the time range. */
export function makeBatches(
  count: number,
  size: number,
  { from, to, customers }: Span,
): Uint8Array<ArrayBuffer>[] {
  const step = (to - from) / Math.max(1, count * size);
  return Array.from({ length: count }, (_, batch) => {
    const lines = Array.from({ length: size }, (_, i) =>
      JSON.stringify(makeEvent(from + (batch * size + i) * step, customers)),
    );
    return gzipSync(lines.join('\n'), { level: 1 });
  });
}
