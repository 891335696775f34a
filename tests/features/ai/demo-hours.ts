import { ANOMALY_MEASURES } from '../../../src/features/ai/anomalies/contract.ts';
import type { HourSeries } from '../../../src/features/ai/anomalies/surprise.ts';
import { generateDemo } from '../../../src/features/demo/generate.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';

/** A call as the search for anomalies sees it. */
export type HourCall = {
  readonly hour: number;
  readonly model: string;
  readonly user: string | null;
  readonly agent: string | null;
  readonly usd: number;
  readonly ms: number | null;
  readonly failed: boolean;
};
export type Line = { readonly dimension: string; readonly value: string | null; readonly series: HourSeries };

/** The story of the demo is in its last 25 days; what is before has no trouble. */
const STORY_DAYS = 26;
export const DAYS = 58;
export const HOURS = DAYS * 24;
/** Hours that are compared with, before those that are judged. */
export const FIRST = 28 * 24;

/** USD per million tokens, about as published; the search sees only sums. */
const RATES: Readonly<Record<string, readonly [input: number, output: number]>> = {
  'gpt-4o': [2.5, 10],
  'gpt-4.1': [2, 8],
  'claude-sonnet-4-5': [3, 15],
  'gemini-2.5-pro': [1.25, 10],
  'o4-mini': [1.1, 4.4],
};
const OTHER_RATES = [0.15, 0.6] as const;

/** Calls of the quiet part of a demo, by hour. */
export function quietCalls(seed: number, now: number, scale: number): HourCall[] {
  const to = Math.floor(now / HOUR_MS) * HOUR_MS - STORY_DAYS * DAY_MS;
  const from = to - DAYS * DAY_MS;
  const calls: HourCall[] = [];
  for (const batch of generateDemo({ now, days: STORY_DAYS + DAYS + 1, seed, scale }))
    for (const event of batch) {
      const at = Date.parse(String(event.timestamp));
      if (event.model == null || at < from || at >= to) continue;
      const { model } = event;
      const [input, output] = RATES[model] ?? OTHER_RATES;
      calls.push({
        hour: Math.floor((at - from) / HOUR_MS),
        model,
        user: event.user_id ?? null,
        agent: event.agent ?? null,
        usd: ((event.input_tokens ?? 0) * input + (event.output_tokens ?? 0) * output) / 1e6,
        ms: event.latency_ms ?? null,
        failed: event.status === 'error' || event.status === 'timeout' || event.status === 'rate_limited',
      });
    }
  return calls;
}

/**
 * Lines as the endpoint reads them: all calls, and the ten models, users and agents with most calls.
 * @param only the one dimension, and its one value, that is wanted
 */
export function linesOf(
  calls: readonly HourCall[],
  only?: 'all' | 'model' | 'user',
  onlyValue: string | null = null,
): Line[] {
  if (only !== undefined) {
    const own = calls.filter((call) => only === 'all' || call[only] === onlyValue);
    return [{ dimension: only, value: onlyValue, series: seriesOf(own) }];
  }
  const line = (dimension: string, value: string | null, own: readonly HourCall[]): Line => ({
    dimension,
    value,
    series: seriesOf(own),
  });
  const by = (dimension: 'model' | 'user' | 'agent'): Line[] =>
    [...Map.groupBy(calls, (call) => call[dimension])]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, 10)
      .flatMap(([value, own]) => (value === null ? [] : [line(dimension, value, own)]));
  return [line('all', null, calls), ...by('model'), ...by('user'), ...by('agent')];
}

function seriesOf(calls: readonly HourCall[]): HourSeries {
  const hours: HourCall[][] = Array.from({ length: HOURS }, () => []);
  for (const call of calls) hours[call.hour]?.push(call);
  const of = (value: (own: readonly HourCall[]) => number | null): (number | null)[] => hours.map(value);
  const series = {
    cost: of((own) => own.reduce((sum, { usd }) => sum + usd, 0)),
    requests: of((own) => own.length),
    errors: of((own) => own.filter(({ failed }) => failed).length),
    latencyP95: of((own) => {
      const times = own.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b);
      return times[Math.max(0, Math.ceil(0.95 * times.length) - 1)] ?? null;
    }),
  };
  if (Object.keys(series).length !== ANOMALY_MEASURES.length) throw new Error('a measure is missing');
  return series;
}
