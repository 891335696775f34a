import { EVENT_KINDS, EVENT_STATUSES } from '../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import { createRandom } from '../../helpers/random.ts';
import { makeEvent } from './ledger.ts';

export const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-haiku-4-5'],
  ['azure', 'gpt-4o'],
] as const;
const ERROR_CODES = ['server_error', 'overloaded', null];

/** Events of all kinds, in no order, between two times in epoch milliseconds. */
export function randomEvents(seed: number, count: number, from: number, to: number): PricedEvent[] {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const int = (max: number): number => Math.floor(random() * max);
  return Array.from({ length: count }, () => {
    const kind = random() < 0.7 ? 'llm' : pick(EVENT_KINDS);
    const is_call = kind === 'llm' || kind === 'embedding';
    const [provider, model] = is_call ? pick(MODELS) : [null, null];
    const status = random() < 0.7 ? 'success' : pick(EVENT_STATUSES);
    const unpriced = random() < 0.1;
    return makeEvent({
      ts: Math.floor(from + random() * (to - from)),
      trace_id: `trace-${int(count / 5)}`,
      kind,
      provider,
      model,
      status,
      error_code: status === 'success' ? null : pick(ERROR_CODES),
      latency_ms: random() < 0.1 ? null : random() < 0.1 ? 0 : wholeMicros(Math.exp(random() * 12) / 7),
      ttft_ms: random() < 0.5 ? wholeMicros(random() * 300) : null,
      stream: random() < 0.5,
      environment: pick(['production', 'staging']),
      user_id: random() < 0.3 ? null : `user-${int(5)}`,
      session_id: random() < 0.5 ? null : `session-${int(5)}`,
      buckets: {
        fresh: int(2000),
        cacheRead: random() < 0.5 ? 0 : int(1000),
        cacheWrite5m: random() < 0.7 ? 0 : int(1000),
        cacheWrite1h: random() < 0.9 ? 0 : int(1000),
        output: random() < 0.2 ? 0 : int(500),
        reasoning: random() < 0.8 ? 0 : int(500),
      },
      cost_nano: !is_call || unpriced ? null : int(1e8),
      cost_status: !is_call ? null : unpriced ? 'unpriced' : pick(['priced', 'client']),
    });
  });
}

const wholeMicros = (ms: number): number => Math.round(ms * 1000) / 1000;
