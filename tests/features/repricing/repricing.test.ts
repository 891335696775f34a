import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { toUuid } from '../../../src/core/events/stores/sqlite/packs/id-bytes.ts';
import type { SqlValue } from '../../../src/db/connection.ts';
import { eraseUser } from '../../../src/features/erasure/index.ts';
import { setPricesAction } from '../../../src/features/prices/actions.ts';
import type { RepricingRow } from '../../../src/features/repricing/contract.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { eventually } from '../../helpers/eventually.ts';
import { randomBelow } from '../../helpers/random.ts';
import { readStored, type Stored } from '../../helpers/read-stored.ts';
import { costsOf, faultsOf } from './books.ts';

const EVENTS = 1_500;
const FIRST = TEST_NOW - 3 * DAY_MS;
let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const random = randomBelow();
const iso = (ms: number): string => new Date(ms).toISOString();
const rows = async (text: string): Promise<SqlValue[][]> =>
  (await world.ctx.db.sql.all<SqlValue[]>(sql.raw(text))).map((row) => Object.values(row)) as SqlValue[][];

const stored = (): Promise<Stored[]> => readStored(world.ctx.db.path);

type Sent = {
  ts: number;
  provider: string;
  model: string;
  environment: string;
  input_tokens: number;
  output_tokens: number;
  cost_usd?: number;
  user_id?: string;
};
const makeCall = (): Sent => ({
  ts: FIRST + random(3 * DAY_MS),
  ...([
    { provider: 'openai', model: 'gpt-4o' },
    { provider: 'openai', model: 'gpt-4o-mini' },
    { provider: 'acme', model: 'acme-1' },
  ][random(3)] as { provider: string; model: string }),
  environment: random(2) === 0 ? 'production' : 'staging',
  input_tokens: 1 + random(100_000),
  output_tokens: random(5_000),
  ...(random(20) === 0 ? { cost_usd: random(100) / 7 } : {}),
});

async function ingest(calls: readonly Sent[]): Promise<void> {
  for (let i = 0; i < calls.length; i += 100) {
    const events = calls.slice(i, i + 100).map(({ ts, ...call }) => ({
      ...call,
      timestamp: iso(ts),
      tags: { team: `t${i % 3}` },
      kind: i % 5 === 0 ? 'embedding' : 'llm',
    }));
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  }
}

type Reply = { status: number; body: RepricingRow & { error: string } };
async function ask(path: string, json?: unknown, bearer = world.seed.bearer): Promise<Reply> {
  const response = await world.fetch(`/v1/repricings${path}?projectId=${world.seed.projectId}`, {
    bearer,
    ...(json === undefined ? {} : { json }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

/** Starts something and waits until it has ended. */
async function ended(path: string, json: unknown = {}): Promise<RepricingRow> {
  const started = await ask(path, json);
  expect(started.status).toBe(202);
  let row = started.body;
  await eventually(
    'the end of the work',
    async () => {
      const { status, body } = await ask(`/${started.body.id}`);
      // On a busy machine one asks more often than the limit allows, and the clock stands still.
      if (status === 429) world.clock.advance(60_000);
      if (status !== 200) return false;
      row = body;
      return !['looking', 'applying', 'undoing'].includes(row.state);
    },
    isOnClickhouse ? 300_000 : 60_000,
  );
  return row;
}

const all = { start: iso(FIRST), end: iso(TEST_NOW) };
const newPrices = [
  { provider: 'acme', model: 'acme-1', rates: { input: 3, output: 9 } },
  {
    provider: 'openai',
    model: 'gpt-4o',
    rates: { input: 1.25, output: 5 },
    effectiveFrom: iso(FIRST + DAY_MS),
  },
];
const setPrices = (prices: unknown[] = newPrices): Promise<unknown> =>
  world.app.act(setPricesAction, { organization: 'Acme', prices });

/** USD of a call by the new prices, worked out apart; null for one whose cost stays. */
function newCost({ ts, model, input_tokens, output_tokens, cost_usd }: Sent): number | null {
  if (cost_usd !== undefined) return null;
  if (model === 'acme-1') return (input_tokens * 3 + output_tokens * 9) / 1e6;
  if (model !== 'gpt-4o' || ts < FIRST + DAY_MS) return null;
  return (input_tokens * 1.25 + output_tokens * 5) / 1e6;
}
const oldCost = ({ model, input_tokens, output_tokens }: Sent): number =>
  model === 'acme-1' ? 0 : (input_tokens * 2.5 + output_tokens * 10) / 1e6;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe('re-pricing', () => {
  test('previews changes by day and model, applies them to all sums, and undoes them', async () => {
    const calls = Array.from({ length: EVENTS }, makeCall);
    await ingest(calls);
    const before = await costsOf(world.ctx.db.path);
    expect(faultsOf(world.ctx.db.path)).toEqual([]);
    await setPrices();

    const looked = await ended('', all);
    const changing = calls.filter((call) => newCost(call) !== null);
    expect(looked).toMatchObject({ state: 'ready', changes: changing.length, applied: 0 });
    expect(looked.before).toBeCloseTo(sum(changing.map(oldCost)), 9);
    expect(looked.after).toBeCloseTo(sum(changing.map((call) => newCost(call) ?? 0)), 9);
    for (const { day, model, events, before: old, after, unpricedBefore } of looked.groups ?? []) {
      const own = changing.filter((call) => iso(call.ts).startsWith(day) && call.model === model);
      expect(events).toBe(own.length);
      expect(old).toBeCloseTo(sum(own.map(oldCost)), 9);
      expect(after).toBeCloseTo(sum(own.map((call) => newCost(call) ?? 0)), 9);
      expect(unpricedBefore).toBe(model === 'acme-1' ? own.length : 0);
    }
    expect(await costsOf(world.ctx.db.path)).toBe(before);

    const applied = await ended(`/${looked.id}/apply`);
    expect(applied).toMatchObject({ state: 'applied', applied: changing.length, progress: 1 });
    expect(applied.appliedDifference).toBeCloseTo(looked.after - looked.before, 9);
    expect(faultsOf(world.ctx.db.path)).toEqual([]);
    const total = sum((await stored()).map(({ costNano }) => costNano ?? 0));
    const wanted = sum(calls.map((call) => call.cost_usd ?? newCost(call) ?? costBefore(call)));
    expect(total / 1e9).toBeCloseTo(wanted, 6);

    const undone = await ended(`/${looked.id}/undo`);
    expect(undone.steps.map(({ step, by }) => [step, by])).toEqual(
      (['created', 'applied', 'undone'] as const).map((step) => [step, world.seed.email]),
    );
    expect(undone).toMatchObject({ state: 'undone', applied: 0, appliedDifference: 0, gone: 0 });
    expect(await costsOf(world.ctx.db.path)).toBe(before);
    expect(await rows('SELECT * FROM repriced_events')).toEqual([]);
  });

  test('runs once: the same dry run is the one that runs, and another is refused until it has ended', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask('', all)));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const { id } = await ended('', all);
    await world.ctx.db.sql.run(sql`UPDATE repricings SET state = 'looking' WHERE id = ${id}`);
    const again = await ask('', all);
    expect([again.status, again.body.id]).toEqual([202, id]);
    const other = await ask('', { ...all, model: 'gpt-4o' });
    expect([other.status, other.body.error]).toEqual([
      409,
      `The re-pricing ${id} is looking; wait until it has ended`,
    ]);
  });

  test('continues during ingest, and new events already have the new price', async () => {
    await ingest(Array.from({ length: EVENTS }, makeCall));
    await setPrices();
    const { id } = await ended('', all);
    const working = ended(`/${id}/apply`);
    await ingest(Array.from({ length: 500 }, makeCall));
    expect((await working).state).toBe('applied');
    expect(faultsOf(world.ctx.db.path)).toEqual([]);
    expect((await stored()).filter(({ costStatus }) => costStatus === 'unpriced')).toEqual([]);
    expect((await ended(`/${id}/undo`)).state).toBe('undone');
    expect(faultsOf(world.ctx.db.path)).toEqual([]);
  });

  test('respects its filters, and keeps costs that the sender set', async () => {
    await ingest(Array.from({ length: 300 }, makeCall));
    await setPrices();
    const of = async (more: object): Promise<number> => (await ended('', { ...all, ...more })).changes;
    const events = await stored();
    const count = (has: (row: Stored) => boolean): number => events.filter(has).length;
    const isAcme = ({ event, costStatus }: Stored): boolean =>
      event.model === 'acme-1' && costStatus !== 'client';
    const from = FIRST + DAY_MS;
    const to = from + 1_000_000;
    expect(await of({ model: 'acme-1' })).toBe(count(isAcme));
    expect(await of({ unpricedOnly: true })).toBe(count(({ costStatus }) => costStatus === 'unpriced'));
    expect(await of({ provider: 'acme', environment: 'staging' })).toBe(
      count((row) => isAcme(row) && row.event.environment === 'staging'),
    );
    expect(await of({ model: 'acme-1', start: iso(from), end: iso(to) })).toBe(
      count((row) => isAcme(row) && row.ts >= from && row.ts < to),
    );
    expect(await of({ model: 'gpt-4o-mini', clientCosts: true })).toBe(
      count(({ event, costStatus }) => event.model === 'gpt-4o-mini' && costStatus === 'client'),
    );
  });

  test('deletes the kept costs of an erased user', async () => {
    const calls = Array.from({ length: 60 }, (_, i) => ({ ...makeCall(), user_id: `user-${i % 3}` }));
    await ingest(calls);
    await setPrices();
    for (const input of [4, 5]) {
      await setPrices([{ provider: 'acme', model: 'acme-1', rates: { input, output: 9 } }]);
      expect((await ended(`/${(await ended('', all)).id}/apply`)).state).toBe('applied');
    }
    await world.app.act(eraseUser, { project: world.seed.projectId, userId: 'user-1' });
    // The engine has them in a table of its own, which its suite reads.
    if (isOnClickhouse) return;
    const left = new Set(
      (await stored()).map(({ project, ts, event }) => `${project} ${ts} ${event.event_id}`),
    );
    const repriced = await rows('SELECT project, ts, hex(event_id) FROM repriced_events');
    const idOf = (hex: SqlValue | undefined): string => toUuid(String(hex).toLowerCase());
    expect(repriced.filter(([project, ts, hex]) => !left.has(`${project} ${ts} ${idOf(hex)}`))).toEqual([]);
    const kept = calls.filter(({ user_id, model }) => user_id !== 'user-1' && model === 'acme-1');
    const priced = kept.filter(({ cost_usd }) => cost_usd === undefined).length;
    expect(repriced.length).toBeGreaterThanOrEqual(2 * priced);
    expect(faultsOf(world.ctx.db.path)).toEqual([]);
  });

  test('never applies prices other than those of the dry run', async () => {
    await ingest(Array.from({ length: 100 }, makeCall));
    const before = await costsOf(world.ctx.db.path);
    await setPrices();
    const { id } = await ended('', all);
    await setPrices([{ provider: 'acme', model: 'acme-1', rates: { input: 4, output: 9 } }]);
    const stopped = await ended(`/${id}/apply`);
    expect(stopped).toMatchObject({ state: 'stopped', applied: 0 });
    expect(stopped.error).toContain('Prices have changed');
    expect(await costsOf(world.ctx.db.path)).toBe(before);
  });

  test('is undone in the reverse order, by admins, within its project', async () => {
    await ingest(Array.from({ length: 100 }, makeCall));
    await setPrices();
    const first = await ended('', all);
    await ended(`/${first.id}/apply`);
    await setPrices([{ provider: 'acme', model: 'acme-1', rates: { input: 7, output: 9 } }]);
    const second = await ended('', all);
    await ended(`/${second.id}/apply`);
    expect(await ask(`/${first.id}/undo`, {})).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining(second.id) },
    });
    expect((await ask(`/${second.id}/apply`, {})).status).toBe(409);
    expect((await ended(`/${second.id}/undo`)).state).toBe('undone');
    expect((await ended(`/${first.id}/undo`)).state).toBe('undone');
    expect((await ask(`/${first.id}/undo`, {})).status).toBe(409);
    const { bearer } = await world.addUser('member');
    expect((await ask('', all, bearer)).status).toBe(403);
    expect((await ask('', undefined, bearer)).status).toBe(200);
    const other = await world.addTenant();
    const foreign = await world.fetch(`/v1/repricings/${first.id}?projectId=${other.projectId}`, {
      bearer: other.bearer,
    });
    expect(foreign.status).toBe(404);
    expect((await ask('', { start: all.end, end: all.start })).status).toBe(400);
  });
});

/** USD by the built-in prices. */
function costBefore(call: Sent): number {
  const [input, output] = call.model === 'gpt-4o' ? [2.5, 10] : [0.15, 0.6];
  return (call.input_tokens * input + call.output_tokens * output) / 1e6;
}
