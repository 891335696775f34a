import { expect, test } from 'bun:test';
import { START } from '../../src/core/events/index.ts';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, randomBelow, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { IS_LONG, ROUNDS } from './support/harness.ts';
import { NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import {
  CALLS,
  change,
  RATES,
  readCosts,
  recountCosts,
  repriced,
  unpricedEvents,
} from './support/reprice.ts';
import { send } from './support/send.ts';
import { untilDone } from './support/until-done.ts';

const GUESTS = 6;
const guest = (number: number): string => `guest ${number}`;

/** A third of the events belong to guests. */
const withGuests = (events: readonly SentEvent[]): SentEvent[] =>
  events.map((event, place) =>
    place % 3 === 0 ? { ...event, user_id: guest((place / 3) % GUESTS) } : event,
  );

eachStore('edits of stored events', { served: IS_LONG }, (world) => {
  const random = randomBelow();
  const priced = withGuests(unpricedEvents(TEST_SEED, 240));
  // Of other models, so that a re-pricing that runs meanwhile does not depend on which of them it saw.
  const others = randomEvents(TEST_SEED + 1, 400 * ROUNDS, NOON - 4 * DAY_MS, NOON).filter(
    ({ model }) => model !== 'gpt-4o',
  );

  async function erase(project: ProjectScope, userId: string): Promise<void> {
    await untilDone(random, (signal) =>
      world.open.store.eraseUser(
        project,
        { userId, name: `erased ${userId}` },
        { signal, cursor: 0, effects: [] },
      ),
    );
  }

  test('re-pricing, restoring and erasing during ingest and sealing leave what a recount says', async () => {
    const project = await world.newProject('Globex');
    await world.open.setPrice(project, 'gpt-4o', RATES);
    await send(world.open.store, project, priced, createRandom(TEST_SEED));
    const from = { cursor: START, pricesVersion: null };
    const { pricesVersion } = await world.open.store.previewReprice(project, CALLS, from);
    let stored: SentEvent[] = priced;
    const sent: SentEvent[] = [];
    let isRepriced = false;
    for (let number = 0; number < GUESTS; number++) {
      const late = others.slice((number * others.length) / GUESTS, ((number + 1) * others.length) / GUESTS);
      const id = `change ${number - (number % 2)}`;
      await Promise.all([
        send(world.open.store, project, late, createRandom(TEST_SEED + number)),
        change(
          world,
          project,
          isRepriced ? { kind: 'restore', id } : { kind: 'reprice', id, calls: CALLS, pricesVersion },
        ),
        erase(project, guest(number)),
        world.open.settle(),
      ]);
      isRepriced = !isRepriced;
      sent.push(...late);
      stored = stored.filter(({ user_id }) => user_id !== guest(number));
      if (random(2) === 0) await world.open.settle();
      if (random(2) === 0) await world.reopen();
      const expected = [...(isRepriced ? repriced(stored) : stored), ...sent];
      expect(await readCosts(world, project)).toEqual(recountCosts(expected));
    }
  });
});
