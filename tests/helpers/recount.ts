/** One call as a test sent it, with what it must cost: an independent model of what the product counts. */
export type Sent = {
  readonly event_id: string;
  readonly trace_id: string;
  readonly timestamp: string;
  readonly provider: string;
  readonly model: string;
  readonly status: 'success' | 'error' | 'timeout' | 'rate_limited' | 'cancelled';
  readonly error_code?: string;
  readonly environment: string;
  readonly user_id: string;
  readonly latency_ms: number;
  readonly ttft_ms?: number;
  readonly stream: boolean;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd?: number;
};

/** Dollars a million tokens: fresh input, cached input, output. Published list prices. */
const RATES: Record<string, readonly [number, number, number]> = {
  'gpt-4o': [2.5, 1.25, 10],
  'gpt-4o-mini': [0.15, 0.075, 0.6],
};

/** USD of one call; null for a model without a price, and where an answer came but nobody counted its tokens. */
export function costOf(call: Sent): number | null {
  if (call.cost_usd !== undefined) return call.cost_usd;
  const rates = RATES[call.model];
  if (rates === undefined) return null;
  const [fresh, cached, output] = rates;
  const { input_tokens, cached_input_tokens, output_tokens } = call;
  if (input_tokens + output_tokens === 0 && !isFailure(call)) return null;
  return (
    ((input_tokens - cached_input_tokens) * fresh + cached_input_tokens * cached + output_tokens * output) /
    1e6
  );
}

export const at = (call: Sent): number => Date.parse(call.timestamp);
export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
export const isFailure = ({ status }: Sent): boolean => ['error', 'timeout', 'rate_limited'].includes(status);
const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b);

/** Groups in the order of first appearance. */
export function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}

/** The nearest-rank percentile: the smallest value that at least p of the values do not exceed. */
export function nearestRank(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(p * sorted.length) - 1] ?? 0;
}

/** The figures that do not depend on the order of anything. */
export function recount(calls: readonly Sent[]) {
  const latencies = calls.map((call) => call.latency_ms);
  const streamed = calls.filter((call) => call.stream && call.ttft_ms !== undefined);
  const speaking = calls.filter((call) => call.output_tokens > 0);
  const generation = speaking.map((call) => call.latency_ms - (call.stream ? (call.ttft_ms ?? 0) : 0));
  return {
    requests: calls.length,
    cost: sum(calls.map((call) => costOf(call) ?? 0)),
    unpriced: calls.filter((call) => costOf(call) === null).length,
    avgLatency: ratio(sum(latencies), latencies.length),
    errorRate: ratio(calls.filter(isFailure).length, calls.length),
    timeoutRate: ratio(calls.filter((call) => call.status === 'timeout').length, calls.length),
    cacheRate: ratio(sum(calls.map((c) => c.cached_input_tokens)), sum(calls.map((c) => c.input_tokens))),
    p50: nearestRank(latencies, 0.5),
    p90: nearestRank(latencies, 0.9),
    p99: nearestRank(latencies, 0.99),
    avgTtft: ratio(sum(streamed.map((call) => call.ttft_ms ?? 0)), streamed.length),
    tokensPerSec: ratio(sum(speaking.map((call) => call.output_tokens)), sum(generation) / 1000),
  };
}
