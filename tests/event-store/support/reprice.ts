import type { EventChange } from '../../../src/core/events/change.ts';
import { type CallSelection, START } from '../../../src/core/events/index.ts';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import type { EffectCall } from '../../../src/db/effects.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { randomBelow } from '../../helpers/random.ts';
import type { World } from './each-store.ts';
import { NOON } from './make-event.ts';
import { randomEvents, type SentEvent } from './random-events.ts';
import { readAll } from './read-all.ts';
import { sum } from './recount.ts';
import { recountAll } from './recount-all.ts';

/** USD per million tokens of gpt-4o, and so nano-dollars per token times a thousand. */
export const RATES = { input: 7, output: 11 };
export const CALLS: CallSelection = {
  from: 0,
  to: 8.64e15,
  model: 'gpt-4o',
  unpricedOnly: false,
  clientCosts: true,
};
const SLICES = 1_000;

/** Does slices until the end, or for `most` of them. Gives where the next one begins: null at the end. */
export async function change(
  world: World,
  project: ProjectScope,
  what: EventChange,
  from: { readonly cursor?: string; readonly most?: number; readonly effects?: readonly EffectCall[] } = {},
): Promise<{ next: string | null; changed: number; gone: number; costNano: number }> {
  const random = randomBelow();
  const all = { changed: 0, gone: 0, costNano: 0 };
  let next: string | null = from.cursor ?? START;
  for (let slice = 0; next !== null && slice < (from.most ?? SLICES); slice++) {
    const done = await world.open.store.change(
      project,
      what,
      { cursor: next, rows: 1 + random(40) },
      from.effects,
    );
    all.changed += done.changed;
    all.gone += done.gone;
    all.costNano += done.costNano;
    next = done.next;
  }
  return { next, ...all };
}

/** Events as they are after the change: without the price, which the reads tell. */
export const repriced = (events: readonly SentEvent[]): SentEvent[] =>
  events.map((event) => {
    if (!event.is_call || event.model !== 'gpt-4o') return event;
    const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = event.buckets;
    const input = fresh + cacheRead + cacheWrite5m + cacheWrite1h;
    const cost_nano = (input * RATES.input + (output + reasoning) * RATES.output) * 1000;
    return { ...event, cost_nano, cost_status: 'priced' };
  });
export const costOf = (events: readonly SentEvent[]): number =>
  sum(events.map(({ cost_nano }) => cost_nano ?? 0));

/** All that the reads tell but what names the price itself. */
export async function readCosts(world: World, project: ProjectScope) {
  const { found, accounts: _, tagged: __, ...rest } = await readAll(world.open.store, project);
  return { ...rest, found: found.map((one) => one && { ...one, price: null }) };
}
export function recountCosts(events: readonly SentEvent[]) {
  const { found, accounts: _, tagged: __, ...rest } = recountAll(events);
  return { ...rest, found: found.map((one) => one && { ...one, price: null }) };
}

/** Events of four days: calls without a price, and calls whose cost the sender set. */
export const unpricedEvents = (seed: number, count: number): SentEvent[] =>
  randomEvents(seed, count, NOON - 4 * DAY_MS, NOON)
    .map((event) =>
      // A call that used nothing has no price that could be compared.
      ({
        ...event,
        buckets: { ...event.buckets, fresh: event.buckets.fresh + 1 },
        input_tokens: event.input_tokens + 1,
      }),
    )
    .map((event) =>
      event.cost_status === 'client' || !event.is_call
        ? event
        : { ...event, price: null, cost_status: 'unpriced' as const, cost_nano: null },
    );
