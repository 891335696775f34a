import type { EventFields } from '../event.ts';

/** Longest text of each field that the server accepts, in characters. No event should be refused for its length. */
const TEXT_LIMITS = {
  event_id: 64,
  trace_id: 128,
  span_id: 128,
  parent_span_id: 128,
  timestamp: 64,
  name: 500,
  provider: 200,
  model: 300,
  operation: 500,
  error_code: 200,
  error_message: 2_000,
  environment: 200,
  user_id: 500,
  session_id: 500,
  agent: 300,
  agent_version: 100,
  tool: 300,
  release: 200,
  prompt_name: 300,
  prompt_version: 100,
  prompt_hash: 200,
  sdk_version: 200,
  finish_reason: 200,
} as const;

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
] as const satisfies readonly (keyof EventFields)[];
const TIMES = ['latency_ms', 'ttft_ms'] as const satisfies readonly (keyof EventFields)[];

const UNFIT = /[\0\p{Surrogate}]/gu;

/**
 * Makes numbers and texts acceptable: cuts texts and removes characters that cannot be stored, drops times and
 * counts that are not finite, rounds counts down. Values of the wrong type stay, so that the server reports them.
 */
export const clip = (event: Record<string, unknown>): void => {
  for (const [name, most] of Object.entries(TEXT_LIMITS)) {
    const value = event[name];
    if (typeof value !== 'string') continue;
    const fit = value.replace(UNFIT, '\ufffd');
    event[name] = fit.length > most ? fit.slice(0, most).replace(UNFIT, '') : fit;
  }
  for (const name of COUNTS) event[name] = figure(event[name], 1e9, Math.floor);
  for (const name of TIMES) event[name] = figure(event[name], 1e10, microseconds);
};

/** Rounds to microseconds, the precision of the server. */
const microseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;

const figure = (value: unknown, most: number, round: (n: number) => number): unknown => {
  if (typeof value !== 'number') return value;
  return value >= 0 ? round(Math.min(value, most)) : undefined;
};
