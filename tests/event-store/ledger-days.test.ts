import { expect, test } from 'bun:test';
import { type LedgerDay, type LedgerParty, ledgerRowNumbers } from '../../src/core/events/index.ts';
import { BILLED_BUCKETS } from '../../src/core/pricing/contract.ts';
import type { ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { createRandom, TEST_SEED } from '../helpers/random.ts';
import { eachStore } from './support/each-store.ts';
import { IS_LONG } from './support/harness.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { randomEvents, type SentEvent } from './support/random-events.ts';
import { inOrder } from './support/read-all.ts';
import { dimensionOf } from './support/recount.ts';
import { accountKey, accountOf, tagsText } from './support/recount-all.ts';
import { change, unpricedEvents } from './support/reprice.ts';
import { record, send } from './support/send.ts';

const LAST_DAY = Math.floor(NOON / DAY_MS);
const DAYS = { from: LAST_DAY - 4, to: LAST_DAY + 1 };
const ALL_DAYS = Array.from({ length: DAYS.to - DAYS.from }, (_, i) => DAYS.from + i);
const PARTIES: readonly LedgerParty[] = [
  'project',
  'user',
  'key',
  'tag:team',
  'tag:tier',
  'tag:none',
  'tags',
];
const NO_SIGNAL = new AbortController().signal;

const isOn = (day: number, { ts }: SentEvent): boolean => Math.floor(ts / DAY_MS) === day;

function partyOf(event: SentEvent, by: LedgerParty, projectId: string): string | null {
  if (by === 'project') return projectId;
  if (by === 'user') return event.user_id;
  if (by === 'key') return event.key_id;
  if (by === 'tags') return tagsText(event);
  return dimensionOf(event, by);
}

/** The accounts of each party, by counting. */
const recount = (calls: readonly SentEvent[], by: LedgerParty, projectId: string) =>
  [...Map.groupBy(calls, (call) => partyOf(call, by, projectId))].map(([party, own]) => ({
    party,
    accounts: inOrder([...Map.groupBy(own, accountKey).values()].map((calls) => accountOf(calls, null))),
  }));

/** The same, from what the store answers. */
function decode({ parties, accounts, rows: packed }: LedgerDay) {
  const rows = ledgerRowNumbers(packed);
  const found = new Map<string | null, object[]>(parties.map((party) => [party, []]));
  let at = 0;
  const next = (): number => rows[at++] as number;
  while (at < rows.length) {
    const [party, account] = [parties[next()] ?? null, accounts[next()]];
    const [calls, tokens, nano] = [next(), next(), next()];
    const buckets = Array.from({ length: next() }, () => ({
      bucket: BILLED_BUCKETS[next()],
      tokens: next(),
      nano: next(),
    }));
    const price = account?.price?.applied ?? null;
    found.get(party)?.push({ ...account, tags: null, price, calls, tokens, nano, buckets: inOrder(buckets) });
  }
  return [...found].map(([party, own]) => ({ party, accounts: inOrder(own) }));
}

eachStore('the days of the ledger', { served: IS_LONG }, (world) => {
  const events = randomEvents(TEST_SEED, 600, NOON - 4 * DAY_MS, NOON);

  async function expectDays(project: ProjectScope, sent: readonly SentEvent[]): Promise<void> {
    const calls = sent.filter(({ is_call }) => is_call);
    for (const by of PARTIES) {
      for (const day of ALL_DAYS) {
        const own = calls.filter((call) => isOn(day, call));
        const found = decode(await world.open.store.ledgerDay(project, { day, by }));
        expect([by, day, inOrder(found)]).toEqual([by, day, inOrder(recount(own, by, project.projectId))]);
      }
    }
  }

  const stamps = async (project: ProjectScope) =>
    (await world.open.store.ledgerDays(project, DAYS)).map(({ stamp }) => stamp);

  test('each party has its calls, tokens, costs and buckets by price, sealed or not', async () => {
    const project = await world.newProject();
    await send(world.open.store, project, events, createRandom(TEST_SEED));
    await expectDays(project, events);
    await world.open.settle();
    await expectDays(project, events);
  });

  test('parties by tag are told apart beyond the values that sums have', async () => {
    const project = await world.newProject();
    const many = Array.from({ length: 1_200 }, (_, i) => ({
      ...makeEvent({
        ts: NOON - i,
        tags: { customer: `customer ${i}` },
        cost_nano: i,
        cost_status: 'client',
      }),
      key_id: null,
    }));
    await send(world.open.store, project, many, createRandom(TEST_SEED));
    await world.open.settle();
    const day = await world.open.store.ledgerDay(project, { day: LAST_DAY, by: 'tag:customer' });
    expect(new Set(day.parties).size).toBe(1_200);
  });

  test('a stamp changes with the calls of its day, and only then once events are sealed', async () => {
    const project = await world.newProject();
    const { store } = world.open;
    expect(await stamps(project)).toEqual(ALL_DAYS.map(() => ''));
    const sent = unpricedEvents(TEST_SEED, 300);
    await send(store, project, sent, createRandom(TEST_SEED));
    await world.open.settle();
    const before = await stamps(project);
    expect(await stamps(project)).toEqual(before);
    const late = { ...makeEvent({ ts: (LAST_DAY - 2) * DAY_MS + 5 }), key_id: null };
    await record(store, project, [late]);
    const after = await stamps(project);
    expect(after.map((stamp, i) => stamp === before[i])).toEqual(ALL_DAYS.map((_, i) => i !== 2));
    const day = await store.ledgerDay(project, { day: LAST_DAY - 2, by: 'user' });
    expect([day.stamp, day.complete]).toEqual([after[2] ?? '', true]);
    await world.open.setPrice(project, 'gpt-4o', { input: 7, output: 11 });
    const { pricesVersion } = await store.previewReprice(
      project,
      { from: 0, to: 8.64e15, model: 'gpt-4o', unpricedOnly: false, clientCosts: true },
      { cursor: '', pricesVersion: null },
    );
    const days = new Set(
      sent
        .filter(({ is_call, model }) => is_call && model === 'gpt-4o')
        .map(({ ts }) => Math.floor(ts / DAY_MS)),
    );
    await change(world, project, {
      kind: 'reprice',
      id: 'rpr_1',
      calls: { from: 0, to: 8.64e15, model: 'gpt-4o', unpricedOnly: false, clientCosts: true },
      pricesVersion,
    });
    const repriced = await stamps(project);
    for (const [i, day] of ALL_DAYS.entries()) if (days.has(day)) expect(repriced[i]).not.toBe(after[i]);
    await store.eraseUser(
      project,
      { userId: 'user-1', name: 'erased' },
      {
        signal: NO_SIGNAL,
        cursor: 0,
        effects: [],
      },
    );
    const erased = await stamps(project);
    for (const [i, day] of ALL_DAYS.entries())
      if (sent.some((one) => one.user_id === 'user-1' && isOn(day, one)))
        expect(erased[i]).not.toBe(repriced[i]);
  });

  test('days from which retention took events are not complete', async () => {
    const project = await world.newProject();
    const { store } = world.open;
    await send(store, project, events, createRandom(TEST_SEED));
    await world.open.settle();
    await store.deleteBefore(project, (LAST_DAY - 1.5) * DAY_MS, { signal: NO_SIGNAL });
    const days = await store.ledgerDays(project, DAYS);
    expect(days.map(({ complete }) => complete)).toEqual([false, false, false, true, true]);
    expect(days[0]?.stamp).toBe('');
  });
});
