import type { PricedEvent } from '../../../src/core/events/event.ts';
import { plainEvent } from '../../helpers/events.ts';

/** Epoch milliseconds. */
export const NOON = Date.UTC(2026, 5, 15, 12);

/** A priced call of gpt-4o at noon, with what a test says about it. */
export function makeEvent(given: Partial<PricedEvent> = {}): PricedEvent {
  const is_call = given.kind === undefined || given.kind === 'llm' || given.kind === 'embedding';
  return {
    ...plainEvent({ ts: NOON }),
    provider: is_call ? 'openai' : null,
    model: is_call ? 'gpt-4o' : null,
    is_call,
    buckets: { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 },
    cost_nano: is_call ? 1_000_000 : null,
    cost_status: is_call ? 'priced' : null,
    price: null,
    ...given,
  };
}
