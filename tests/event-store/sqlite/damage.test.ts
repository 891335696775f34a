import { afterEach, expect, test } from 'bun:test';
import type { Ctx } from '../../../src/context.ts';
import { openSqliteStore, START } from '../../../src/core/events/index.ts';
import type { EventStore } from '../../../src/core/events/store.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import type { PriceInput } from '../../../src/core/pricing/contract.ts';
import { setPrice } from '../../../src/core/pricing/index.ts';
import { ofProject, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import { openFolder } from '../../helpers/folder.ts';
import { makeEvent, NOON } from '../support/make-event.ts';
import { record } from '../support/send.ts';
import { findOrCreate, openContext } from '../support/sqlite.ts';

const { signal } = new AbortController();
const ALL = { from: NOON - 10 * DAY_MS, to: NOON + DAY_MS };
/** Events per day: one segment each. */
const EVENTS = 40;
const DAYS = [0, 1, 2] as const;

type World = {
  readonly ctx: Ctx;
  readonly store: EventStore;
  readonly project: ProjectScope;
  /** What was logged as an error. */
  readonly logged: string[];
  /** Changes the file and opens it anew. */
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const timeOf = (day: number, place: number): number => NOON - day * DAY_MS + place * 60_000;
const idOf = (day: number, place: number): string =>
  `00000000-0000-4000-8000-${String(day * 1_000 + place).padStart(12, '0')}`;

async function openWorld(): Promise<World> {
  const folder = openFolder();
  const logged: string[] = [];
  const open = () => {
    const { ctx, close } = openContext(folder.path('test.db'), 'inline');
    Object.assign(ctx.log, { error: (_: unknown, message: string) => logged.push(message) });
    return { ctx, close, store: openSqliteStore(ctx) };
  };
  let opened = open();
  closing.push(async () => {
    await opened.close();
    folder.remove();
  });
  return {
    get ctx() {
      return opened.ctx;
    },
    get store() {
      return opened.store;
    },
    logged,
    project: await findOrCreate(opened.ctx, 'damaged', 'Acme'),
    async run(sql) {
      await opened.ctx.db.writer.write(sqlOp, [{ sql, args: [] }]);
      // What is decoded already stays in memory.
      await opened.close();
      opened = open();
    },
    rows: (sql) => opened.ctx.db.sql.all<Record<string, unknown>>(sql),
  };
}

/** Three days of events of two users, the unpriced model on each; sealed into three segments. */
async function sealedWorld(): Promise<World> {
  const world = await openWorld();
  for (const day of DAYS)
    await record(
      world.store,
      world.project,
      Array.from({ length: EVENTS }, (_, place) =>
        makeEvent({
          event_id: idOf(day, place),
          ts: timeOf(day, place),
          trace_id: String(day).repeat(32),
          user_id: place % 2 === 0 ? 'even' : 'odd',
          latency_ms: place,
          buckets: { fresh: 1_000, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 },
          error_message: crypto.randomUUID(),
        }),
      ),
    );
  await world.ctx.use(sealerService).sealAll(world.project.no);
  return world;
}

/** Flips a bit in the middle of a blob. */
const flipped = (column: string): string =>
  `CAST(substr(${column}, 1, length(${column}) / 2) || x'5a' || substr(${column}, length(${column}) / 2 + 2) AS BLOB)`;

/** The segment of the day in the middle, with damage to what is always needed or to details only. */
async function damageMiddle(world: World, what: 'columns' | 'details' = 'columns'): Promise<number> {
  const [row] = await world.rows(`SELECT no FROM event_segments WHERE first_ts = ${timeOf(1, 0)}`);
  const no = Number(row?.no);
  await world.run(
    what === 'columns'
      ? `UPDATE event_segments SET small = ${flipped('small')} WHERE no = ${no}`
      : `UPDATE event_blocks SET data = ${flipped('data')} WHERE id = ${no * 16_384}`,
  );
  return no;
}

const totals = async ({ store, project }: World, window = ALL) =>
  await store.metrics(ofProject(project), {
    all: { measures: ['requests', 'cost'], window },
    byUser: { measures: ['requests', 'cost'], window, groupBy: ['userId'] },
  });
const list = async ({ store, project }: World, limit: number) =>
  (
    await store.eventsAfter(ofProject(project), {
      filters: {},
      calls: false,
      window: ALL,
      limit,
      cursor: null,
    })
  ).parse().events;

test('damage costs only what needs it: totals stay complete, the error names it, and it is logged once', async () => {
  const world = await sealedWorld();
  const before = await totals(world);
  const no = await damageMiddle(world);
  const error = `40 events of 2026-06-14T12:00:00.000Z to 2026-06-14T12:39:00.000Z are damaged (segment ${no}: A stored blob does not match its checksum), and this reply needs them. To list the damage and to go on without these events: spanledger events check`;

  expect(await totals(world)).toEqual(before);
  expect(await list(world, EVENTS - 1)).toHaveLength(EVENTS - 1);
  const refused = { status: 500, code: 'damaged', message: error };
  for (let i = 0; i < 3; i++) await expect(list(world, 3 * EVENTS)).rejects.toMatchObject(refused);
  expect(world.logged).toHaveLength(1);
  expect(world.logged[0]).toContain(`segment ${no}`);

  // Part of an hour of the damaged segment is told as the whole hour, as where retention has deleted events.
  const ragged = { from: timeOf(1, 10), to: ALL.to };
  expect((await totals(world, ragged)).all).toMatchObject([{ requests: 2 * EVENTS }]);
  // A sum that would have to leave events out is refused.
  const ofUser = world.store.metrics(ofProject(world.project), {
    all: { measures: ['requests'], window: ragged, filters: { sessionId: 's' } },
  });
  await expect(ofUser).rejects.toMatchObject({ code: 'damaged' });
});

test('details alone: everything else of the segment is read', async () => {
  const world = await sealedWorld();
  await damageMiddle(world, 'details');
  expect((await totals(world)).all).toMatchObject([{ requests: 3 * EVENTS }]);
  await expect(list(world, 3 * EVENTS)).rejects.toMatchObject({ code: 'damaged' });
  const filtered = { measures: ['requests'], window: ALL, filters: { userId: 'odd' } } as const;
  const { all } = await world.store.metrics(ofProject(world.project), { all: filtered });
  expect(all).toMatchObject([{ requests: (3 * EVENTS) / 2 }]);
  // A repetition of an event is still recognised.
  const again = await record(world.store, world.project, [
    makeEvent({ event_id: idOf(1, 0), ts: timeOf(1, 0) }),
  ]);
  expect(again).toMatchObject({ stored: 0, duplicates: 1 });
});

test('new events of the time of a damaged segment are stored', async () => {
  const world = await sealedWorld();
  await damageMiddle(world);
  // So that the newest ids, which are in memory, do not answer.
  const late = makeEvent({ event_id: crypto.randomUUID(), ts: timeOf(1, 5) });
  expect(await record(world.store, world.project, [late], { spans: true })).toMatchObject({ stored: 1 });
  expect((await totals(world)).all).toMatchObject([{ requests: 3 * EVENTS + 1 }]);
});

test('re-pricing and undoing it go on for the other segments', async () => {
  const world = await sealedWorld();
  const before = await totals(world);
  const { organizationId } = world.project;
  const input: PriceInput = {
    match: 'exact',
    model: 'gpt-4o',
    rates: { input: 3, output: 9 },
    tiers: [],
    currency: 'USD',
  };
  await setPrice(world.ctx, { kind: 'operator' }, { organizationId, id: null, input });
  await damageMiddle(world);
  const calls = { from: 0, to: 8.64e15, unpricedOnly: false, clientCosts: true };
  const all = { changes: 0, unreadable: 0, pricesVersion: '' };
  for (let cursor: string | null = START; cursor !== null; ) {
    const from = { cursor, pricesVersion: null };
    const page = await world.store.previewReprice(world.project, calls, from);
    all.changes += page.changes;
    all.unreadable += page.unreadable;
    all.pricesVersion = page.pricesVersion;
    cursor = page.next;
  }
  expect(all).toMatchObject({ changes: 2 * EVENTS, unreadable: EVENTS });

  const changeAll = async (kind: 'reprice' | 'restore'): Promise<number> => {
    let changed = 0;
    for (let cursor: string | null = START; cursor !== null; ) {
      const change =
        kind === 'restore'
          ? ({ kind, id: 'r' } as const)
          : ({ kind, id: 'r', calls, pricesVersion: all.pricesVersion } as const);
      const slice = await world.store.change(world.project, change, { cursor, rows: 100 });
      changed += slice.changed;
      cursor = slice.next;
    }
    return changed;
  };
  expect(await changeAll('reprice')).toBe(2 * EVENTS);
  // 1,000 tokens at 3 dollars a million, and one segment that keeps its costs.
  expect((await totals(world)).all).toMatchObject([{ cost: 0.28 }]);
  expect(await changeAll('restore')).toBe(2 * EVENTS);
  expect((await totals(world)).all).toEqual(before.all);
});

test('an erasure erases what is readable and does not end before the rest is given up', async () => {
  const world = await sealedWorld();
  const no = await damageMiddle(world);
  const erase = () =>
    world.store.eraseUser(world.project, { userId: 'odd', name: 'gone' }, { signal, cursor: 0, effects: [] });
  await expect(erase()).rejects.toMatchObject({ status: 409, code: 'damaged' });
  expect((await totals(world)).all).toMatchObject([{ requests: 2 * EVENTS }]);
  expect(await world.store.giveUp(world.project, { kind: 'segment', no }, [])).toBe(true);
  await erase();
});

test('retention and the purge of a project delete damaged segments', async () => {
  const world = await sealedWorld();
  await damageMiddle(world);
  // In the middle of the damaged day: it stays whole, because it can't be cut.
  await world.store.deleteBefore(world.project, timeOf(1, 20), { signal });
  expect(await world.rows('SELECT ready FROM event_segments ORDER BY first_ts')).toEqual([
    { ready: 2 },
    { ready: 1 },
  ]);
  const deleted = await world.store.deleteBefore(world.project, timeOf(0, 0), { signal });
  expect(deleted).toMatchObject({ events: EVENTS });
  expect((await totals(world)).all).toMatchObject([{ requests: 3 * EVENTS }]);
  expect(await list(world, 3 * EVENTS)).toHaveLength(EVENTS);

  await world.run(`UPDATE event_segments SET small = ${flipped('small')}`);
  await expect(list(world, 3 * EVENTS)).rejects.toMatchObject({ code: 'damaged' });
  await world.store.purge(world.project, { signal });
  expect(await world.rows('SELECT no FROM event_segments UNION ALL SELECT id FROM event_pieces')).toEqual([]);
});

test('what is given up is left out of lists and counts, but no figure passes as complete without it', async () => {
  const world = await sealedWorld();
  const before = await totals(world);
  const no = await damageMiddle(world);
  expect(await world.store.checkStored(world.project, signal)).toEqual({
    segments: 3,
    batches: 0,
    restored: 0,
  });
  const scope = ofProject(world.project);
  const damage = { kind: 'segment', no, project: world.project.no, events: EVENTS } as const;
  expect(await world.store.damage(scope)).toMatchObject([{ ...damage, state: 'damaged' }]);
  await world.store.giveUp(world.project, damage, []);
  expect(await world.store.damage(scope)).toMatchObject([{ ...damage, state: 'lost' }]);
  expect(await world.rows(`SELECT id FROM event_blocks WHERE id / 16384 = ${no}`)).toEqual([]);

  expect(await list(world, 3 * EVENTS)).toHaveLength(2 * EVENTS);
  const page = await world.store.events(scope, {
    filters: {},
    calls: false,
    window: ALL,
    limit: 5,
    cursor: null,
  });
  expect(page.parse().total).toBe(2 * EVENTS);
  expect(await totals(world)).toEqual(before);
  const part = { from: timeOf(1, 10), to: timeOf(1, 20) };
  expect((await totals(world, part)).all).toMatchObject([{ requests: EVENTS }]);
  const odd = { measures: ['requests'], filters: { userId: 'odd' }, window: ALL } as const;
  const { days } = await world.store.metrics(scope, { days: { ...odd, bucket: 'day' } });
  expect(days.map(({ requests }) => requests)).toEqual(DAYS.map(() => EVENTS / 2));
  for (const question of [
    { ...odd, bucket: 'hour' },
    { ...odd, filters: { sessionId: 's' } },
  ] as const)
    await expect(world.store.metrics(scope, { question })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('were lost to damage'),
    });
  await expect(world.store.ledger(scope, { window: ALL, environment: null })).rejects.toMatchObject({
    status: 400,
  });
  // The other days are not affected.
  const window = { from: NOON - 2 * HOUR_MS, to: ALL.to };
  const { all } = await world.store.metrics(scope, {
    all: { measures: ['requests'], window, filters: { userId: 'odd' } },
  });
  expect(all).toMatchObject([{ requests: EVENTS / 2 }]);
});

test('a check finds all damage, and puts back what can be read again', async () => {
  const world = await sealedWorld();
  const [good] = await world.rows(
    'SELECT id, hex(data) AS data FROM event_blocks ORDER BY id LIMIT 1 OFFSET 1',
  );
  const no = await damageMiddle(world, 'details');
  expect(Number(good?.id)).toBe(no * 16_384);
  const { signal } = new AbortController();
  expect(await world.store.checkStored(world.project, signal)).toEqual({
    segments: 3,
    batches: 0,
    restored: 0,
  });
  expect(await world.store.damage(ofProject(world.project))).toMatchObject([{ no, state: 'damaged' }]);
  await world.run(`UPDATE event_blocks SET data = x'${good?.data}' WHERE id = ${good?.id}`);
  expect(await world.store.checkStored(world.project, signal)).toEqual({
    segments: 3,
    batches: 0,
    restored: 1,
  });
  expect(await world.store.damage(ofProject(world.project))).toEqual([]);
  expect(await list(world, 3 * EVENTS)).toHaveLength(3 * EVENTS);
});

test('a batch that cannot be decoded is set aside with its bytes, and the others are sealed', async () => {
  const world = await openWorld();
  for (const day of [0, 1, 0])
    await record(world.store, world.project, [
      makeEvent({ event_id: crypto.randomUUID(), ts: timeOf(day, 0) }),
    ]);
  await world.run(`UPDATE event_log SET pack = ${flipped('pack')} WHERE seq = 2`);
  const [broken] = await world.rows('SELECT hex(pack) AS pack, hex(ids) AS ids FROM event_log WHERE seq = 2');
  await world.ctx.use(sealerService).sealAll(world.project.no);
  expect(await world.rows('SELECT seq FROM event_log')).toEqual([]);
  expect(await world.rows('SELECT sum(events) AS events FROM event_segments WHERE ready')).toEqual([
    { events: 2 },
  ]);
  expect(await world.rows('SELECT seq, hex(pack) AS pack, hex(ids) AS ids FROM event_log_damaged')).toEqual([
    { seq: 2, ...broken },
  ]);
  expect(world.logged).toHaveLength(1);
  const [damage] = await world.store.damage(ofProject(world.project));
  expect(damage).toMatchObject({ kind: 'batch', no: 2, state: 'damaged', events: 1, first: timeOf(1, 0) });
  const spans = [makeEvent({ event_id: crypto.randomUUID() })];
  expect(await record(world.store, world.project, spans, { spans: true })).toMatchObject({ stored: 1 });
});

test('a read that meets a damaged batch sets it aside; it is put back if it can be decoded again', async () => {
  const world = await openWorld();
  for (const place of [0, 1])
    await record(world.store, world.project, [
      makeEvent({ event_id: crypto.randomUUID(), ts: timeOf(0, place) }),
    ]);
  const [good] = await world.rows('SELECT hex(ids) AS ids FROM event_log WHERE seq = 1');
  await world.run(`UPDATE event_log SET ids = ${flipped('ids')} WHERE seq = 1`);
  expect((await totals(world)).all).toMatchObject([{ requests: 1 }]);
  expect(world.logged).toHaveLength(1);
  await world.run(`UPDATE event_log_damaged SET ids = x'${good?.ids}'`);
  expect(await world.store.checkStored(world.project, signal)).toEqual({
    segments: 0,
    batches: 2,
    restored: 1,
  });
  expect((await totals(world)).all).toMatchObject([{ requests: 2 }]);
  await world.ctx.use(sealerService).sealAll(world.project.no);
  expect((await totals(world)).all).toMatchObject([{ requests: 2 }]);
});
