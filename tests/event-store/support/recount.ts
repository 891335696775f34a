import type { PricedEvent } from '../../../src/core/events/event.ts';
import type { CallTime, Measure } from '../../../src/core/events/measures.ts';
import type { Dimension, EventDimension } from '../../../src/core/events/metrics.ts';
import type { EventFilters, Window } from '../../../src/core/events/selection.ts';
import { fulfils } from './filter-terms.ts';
import type { SentEvent } from './random-events.ts';

export const FIELD = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  errorCode: 'error_code',
  status: 'status',
  kind: 'kind',
  operation: 'operation',
  userId: 'user_id',
  sessionId: 'session_id',
  release: 'release',
  agent: 'agent',
  agentVersion: 'agent_version',
  tool: 'tool',
  promptName: 'prompt_name',
  promptVersion: 'prompt_version',
  finishReason: 'finish_reason',
} as const satisfies Record<EventDimension, keyof PricedEvent>;

/** Whether an event is in a window and like the filters say. */
export function matches(event: SentEvent, filters: EventFilters, window: Window): boolean {
  if (event.ts < window.from || event.ts >= window.to) return false;
  const { status, errorCode, costStatus, keyId, tag, where = [], ...rest } = filters;
  if (!where.every((condition) => fulfils(event, condition))) return false;
  if (status !== undefined && ![status].flat().includes(event.status)) return false;
  if (costStatus !== undefined && !(event.is_call && event.cost_status === costStatus)) return false;
  if (errorCode !== undefined && !(isFailure(event) && (event.error_code ?? event.status) === errorCode))
    return false;
  if (keyId !== undefined && event.key_id !== keyId) return false;
  if (tag !== undefined && !tagsOf(event).includes(tag)) return false;
  return Object.entries(rest).every(
    ([name, wanted]) => wanted === undefined || event[FIELD[name as EventDimension]] === wanted,
  );
}

/** The value of an event in a dimension. */
export function dimensionOf(event: SentEvent, dimension: Dimension): string | null {
  if (dimension === 'keyId') return event.key_id;
  if (!dimension.startsWith('tag:')) return event[FIELD[dimension as EventDimension]];
  const value = event.tags?.[dimension.slice('tag:'.length)];
  if (value === undefined || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const tagsOf = ({ tags }: PricedEvent): string[] =>
  Object.entries(tags ?? {})
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);

/** Whether an event is that of a guardrail. */
const isLook = ({ kind }: PricedEvent): boolean => kind === 'guardrail';

export const isFailure = ({ status }: PricedEvent): boolean =>
  ['error', 'timeout', 'rate_limited'].includes(status);

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Times are added up in whole microseconds. */
const micros = (ms: number): number => Math.round(ms * 1000);

function percentile(times: readonly number[], p: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(p * sorted.length)) - 1] ?? 0;
}

const percentiles = <T extends CallTime>(time: T, values: readonly number[]) =>
  ({
    [`${time}P50`]: percentile(values, 0.5),
    [`${time}P90`]: percentile(values, 0.9),
    [`${time}P95`]: percentile(values, 0.95),
    [`${time}P99`]: percentile(values, 0.99),
  }) as Record<`${T}P${50 | 90 | 95 | 99}`, number>;

export const inputOf = ({ buckets: b }: PricedEvent): number =>
  b.fresh + b.cacheRead + b.cacheWrite5m + b.cacheWrite1h;
export const outputOf = ({ buckets: b }: PricedEvent): number => b.output + b.reasoning;
const count = (calls: readonly PricedEvent[], ...statuses: string[]): number =>
  calls.filter(({ status }) => statuses.includes(status)).length;

/** Every measure of some calls and events of guardrails, computed as its definition says and not as the product does. */
export function measureAll(events: readonly PricedEvent[]): Record<Measure, number> {
  const looks = events.filter(isLook);
  const calls = events.filter((event) => !isLook(event));
  const outcomes = (code: string): number => looks.filter(({ error_code }) => error_code === code).length;
  const latencies = calls.flatMap(({ latency_ms }) => (latency_ms === null ? [] : micros(latency_ms)));
  const ttfts = calls.flatMap(({ stream, ttft_ms }) => (stream && ttft_ms !== null ? micros(ttft_ms) : []));
  const generating = calls.filter((call) => call.latency_ms !== null && outputOf(call) > 0);
  const generatingMicros = sum(
    generating.map(({ latency_ms, stream, ttft_ms }) =>
      Math.max(0, micros(latency_ms ?? 0) - (stream ? micros(ttft_ms ?? 0) : 0)),
    ),
  );
  const unpriced = calls.filter(({ cost_status }) => cost_status === 'unpriced');
  const cacheRead = sum(calls.map(({ buckets }) => buckets.cacheRead));
  return {
    requests: calls.length,
    errors: count(calls, 'error', 'timeout', 'rate_limited'),
    successes: count(calls, 'success', 'cancelled'),
    timeouts: count(calls, 'timeout'),
    rateLimited: count(calls, 'rate_limited'),
    cancelled: count(calls, 'cancelled'),
    cost: sum(calls.map(({ cost_nano }) => cost_nano ?? 0)) / 1e9,
    unpriced: unpriced.length,
    unpricedInputTokens: sum(unpriced.map(inputOf)),
    unpricedOutputTokens: sum(unpriced.map(outputOf)),
    inputTokens: sum(calls.map(inputOf)),
    freshTokens: sum(calls.map(({ buckets }) => buckets.fresh)),
    cacheReadTokens: cacheRead,
    cacheWriteTokens: sum(calls.map(({ buckets }) => buckets.cacheWrite5m + buckets.cacheWrite1h)),
    outputTokens: sum(calls.map(outputOf)),
    reasoningTokens: sum(calls.map(({ buckets }) => buckets.reasoning)),
    costAvg: share(sum(calls.map(({ cost_nano }) => cost_nano ?? 0)) / 1e9, calls.length - unpriced.length),
    tokens: sum(calls.map(inputOf)) + sum(calls.map(outputOf)),
    inputTokensAvg: share(sum(calls.map(inputOf)), calls.length),
    outputTokensAvg: share(sum(calls.map(outputOf)), calls.length),
    rateLimitedRate: share(count(calls, 'rate_limited'), calls.length),
    cacheRate: share(cacheRead, sum(calls.map(inputOf))),
    errorRate: share(count(calls, 'error', 'timeout', 'rate_limited'), calls.length),
    timeoutRate: share(count(calls, 'timeout'), calls.length),
    latencyCount: latencies.length,
    latencyAvg: share(sum(latencies), latencies.length) / 1000,
    ttftAvg: share(sum(ttfts), ttfts.length) / 1000,
    tokensPerSec: share(sum(generating.map(outputOf)), generatingMicros) * 1e6,
    guardrailChecks: looks.length,
    guardrailFlags: outcomes('guardrail_flagged'),
    guardrailRedactions: outcomes('guardrail_redacted'),
    guardrailBlocks: outcomes('guardrail_blocked'),
    guardrailBlockRate: share(outcomes('guardrail_blocked'), looks.length),
    ...percentiles(
      'latency',
      calls.flatMap(({ latency_ms }) => latency_ms ?? []),
    ),
    ...percentiles(
      'ttft',
      calls.flatMap(({ stream, ttft_ms }) => (stream ? (ttft_ms ?? []) : [])),
    ),
  };
}

/** The rows that `queryMetrics` should give, by what they are grouped by. */
export function recount(
  events: readonly SentEvent[],
  query: {
    filters: EventFilters;
    window: Window;
    groupBy: readonly Dimension[];
    bucketMs: number | null;
    /** Also of events of guardrails. */
    guardrails?: boolean;
  },
): Map<string, Record<Measure, number>> {
  const calls = events.filter(
    (event) =>
      (event.is_call || (query.guardrails === true && isLook(event))) &&
      matches(event, query.filters, query.window),
  );
  const keyOf = (call: SentEvent): string => {
    const time = query.bucketMs === null ? null : Math.floor(call.ts / query.bucketMs) * query.bucketMs;
    return JSON.stringify([time, ...query.groupBy.map((name) => dimensionOf(call, name))]);
  };
  const groups = Map.groupBy(calls, keyOf);
  if (groups.size === 0 && query.bucketMs === null && query.groupBy.length === 0) groups.set('[null]', []);
  return new Map([...groups].map(([key, group]) => [key, measureAll(group)]));
}
