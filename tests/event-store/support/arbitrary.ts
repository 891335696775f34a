import fc from 'fast-check';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../src/core/events/contract.ts';
import { parseFilter } from '../../../src/core/events/filter/contract.ts';
import type { EventFilters, Window } from '../../../src/core/events/selection.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { FILTER_TEXTS } from './filter-terms.ts';
import { NOON } from './make-event.ts';
import { MODELS } from './random-events.ts';

/** The time over which the events of the questions lie: up to noon. */
export const SPAN = 6 * DAY_MS;

/** Any instant of that time and a day around it, or the start of an hour. */
export const anInstant = fc.oneof(
  fc.integer({ min: NOON - SPAN - DAY_MS, max: NOON + DAY_MS }),
  fc.integer({ min: -7 * 24, max: 24 }).map((hours) => NOON + hours * HOUR_MS),
);

export const aWindow: fc.Arbitrary<Window> = fc
  .tuple(anInstant, anInstant)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

/** Whole UTC days. */
export const someDays: fc.Arbitrary<Window> = aWindow.map(({ from, to }) => ({
  from: Math.floor(from / DAY_MS) * DAY_MS,
  to: Math.ceil(to / DAY_MS) * DAY_MS,
}));

const maybe = <T>(values: readonly T[], freq = 2): fc.Arbitrary<T | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq });

/** Any filters that an event may have to meet; most questions have one or two. */
export const someFilters: fc.Arbitrary<EventFilters> = fc.record({
  model: maybe(MODELS.map(([, model]) => model)),
  provider: maybe(['openai', 'azure', 'nobody'], 1),
  environment: maybe(['production', 'staging']),
  status: fc.option(
    fc.oneof(fc.constantFrom(...EVENT_STATUSES), fc.uniqueArray(fc.constantFrom(...EVENT_STATUSES))),
    { nil: undefined, freq: 1 },
  ),
  kind: maybe(EVENT_KINDS.slice(0, 3), 1),
  errorCode: maybe(['server_error', 'timeout', 'unheard_of'], 1),
  costStatus: maybe(['unpriced', 'client'] as const, 1),
  userId: maybe(['user-1', 'user-2'], 1),
  sessionId: maybe(['session-1', 'session-2'], 1),
  keyId: maybe(['key_1', 'unheard-of'], 1),
  tag: maybe(['team=team 1', 'tier=1', 'team=nobody'], 1),
  where: fc.option(
    fc
      .uniqueArray(fc.constantFrom(...FILTER_TEXTS), { minLength: 1, maxLength: 2 })
      .map((texts) => parseFilter(texts.join(' '))),
    { nil: undefined, freq: 2 },
  ),
});
