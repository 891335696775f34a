import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { indexIdsJob } from '../../../../../../src/core/events/stores/sqlite/id-index/index-job.ts';
import { INDEX_SEGMENTS } from '../../../../../../src/core/events/stores/sqlite/id-index/read-index.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { sqlOp } from '../../../../../../src/db/sql-op.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { pages } from '../../../../../event-store/support/read-all.ts';
import { type OpenLog, openLog } from '../open-log.ts';

/** A segment per day. */
const DAYS = 2 * INDEX_SEGMENTS + 9;
const ALL_DAYS = { from: NOON - DAYS * DAY_MS, to: NOON + DAY_MS };
const { signal } = new AbortController();

let log: OpenLog;
let project: ProjectScope;
let other: ProjectScope;
const traceOf = (i: number): string => i.toString(16).padStart(32, '7');
/** Three events a day; each seventh trace has events of several days. */
const events: readonly PricedEvent[] = Array.from({ length: DAYS * 3 }, (_, i) =>
  makeEvent({
    event_id: crypto.randomUUID(),
    trace_id: traceOf(i % 7 === 0 ? i % 49 : i),
    ts: NOON - (i % DAYS) * DAY_MS + i,
    user_id: i < DAYS ? 'ada' : 'grace',
  }),
);
const spansOf = Map.groupBy(events, ({ trace_id }) => trace_id);

beforeAll(async () => {
  log = openLog();
  [project, other] = [await log.newProject(), await log.newProject()];
  await log.record(project, events);
  await log.record(other, [makeEvent({ trace_id: traceOf(0), ts: NOON })]);
  for (const one of [project, other]) await log.seal(one);
});
afterAll(() => log.close());

const indexes = (): number[][] =>
  log
    .reader(project)
    .rows('SELECT segments FROM event_id_indexes WHERE ready = 1 ORDER BY no')
    .map(([json]) => JSON.parse(String(json)));

const listed = () =>
  pages(async (cursor) => {
    const query = { filters: {}, calls: false, window: ALL_DAYS, cursor, limit: 90 };
    const page = (await log.store.traces(ofProject(project), query)).parse();
    return { rows: page.traces, nextCursor: page.nextCursor };
  });

/** All events that are stored are found, and with them the whole traces. */
async function findsAll(isStored: (event: PricedEvent) => boolean = () => true): Promise<void> {
  const stored = events.filter(isStored);
  for (const { event_id: id, trace_id } of stored)
    expect((await log.store.event(ofProject(project), { id, ts: null }))?.event.trace_id).toBe(trace_id);
  for (const [id, spans] of spansOf) {
    const trace = (await log.store.trace(ofProject(project), id))?.parse();
    expect(trace?.trace.spans ?? 0).toBe(spans.filter(isStored).length);
  }
  for (let i = 0; i < 50; i++) {
    expect(await log.store.trace(ofProject(project), crypto.randomUUID().replaceAll('-', ''))).toBeNull();
    expect(await log.store.event(ofProject(project), { id: crypto.randomUUID(), ts: null })).toBeNull();
  }
  const lines = await listed();
  expect(lines.map(({ trace_id, spans }) => [trace_id, spans]).sort()).toEqual(
    [...spansOf]
      .flatMap(([id, own]) => {
        const spans = own.filter(isStored).length;
        return spans === 0 ? [] : [[id, spans]];
      })
      .sort(),
  );
}

test('segments are indexed by 64, oldest first, and all reads are the same as before', async () => {
  await findsAll();
  const before = await listed();
  expect(await indexIdsJob.run(log.ctx, signal)).toEqual({ indexed: 2 * INDEX_SEGMENTS, dropped: 0 });
  expect(await indexIdsJob.run(log.ctx, signal)).toEqual({});
  expect(indexes().map(({ length }) => length)).toEqual([INDEX_SEGMENTS, INDEX_SEGMENTS]);
  const newest = log
    .reader(project)
    .rows('SELECT no FROM event_segments ORDER BY last_ts DESC LIMIT 9')
    .flat();
  expect(
    indexes()
      .flat()
      .filter((no) => newest.includes(no)),
  ).toEqual([]);
  await findsAll();
  expect(await listed()).toEqual(before);
  expect((await log.store.trace(ofProject(other), traceOf(0)))?.parse().trace.spans).toBe(1);
});

test('a page that cannot be read costs time, no event', async () => {
  const all = log.reader(project).rows('SELECT id, hex(data) FROM event_id_pages');
  const run = (sql: string): Promise<unknown> => log.ctx.db.writer.write(sqlOp, [{ sql, args: [] }]);
  await run("UPDATE event_id_pages SET data = x'00' || data WHERE id % 2 = 0");
  await run('DELETE FROM event_id_pages WHERE id % 2 = 1 AND id % 4096 >= 2048');
  await findsAll();
  await run('DELETE FROM event_id_pages');
  await findsAll();
  for (const [id, data] of all)
    await run(`INSERT INTO event_id_pages VALUES (${id}, ${project.no}, x'${data}')`);
  await findsAll();
});

test('a check finds an index with a damaged page, and the next run builds it anew', async () => {
  const run = (sql: string): Promise<unknown> => log.ctx.db.writer.write(sqlOp, [{ sql, args: [] }]);
  await log.store.checkStored(project, signal);
  expect(indexes()).toHaveLength(2);
  await run("UPDATE event_id_pages SET data = x'00' || data WHERE id = (SELECT max(id) FROM event_id_pages)");
  await log.store.checkStored(project, signal);
  expect(indexes()).toHaveLength(1);
  await findsAll();
  expect(await indexIdsJob.run(log.ctx, signal)).toEqual({ indexed: INDEX_SEGMENTS, dropped: 1 });
  await run('DELETE FROM event_id_pages WHERE id = (SELECT max(id) FROM event_id_pages)');
  await log.store.checkStored(project, signal);
  expect(await indexIdsJob.run(log.ctx, signal)).toMatchObject({ dropped: 1 });
  expect(indexes()).toHaveLength(2);
});

test('work that is stopped anywhere is finished by the next run', async () => {
  const run = (sql: string): Promise<unknown> => log.ctx.db.writer.write(sqlOp, [{ sql, args: [] }]);
  await run('UPDATE event_id_indexes SET ready = 0');
  for (const after of [1, 2, 3, 5]) {
    const abort = new AbortController();
    const { writer } = log.ctx.db;
    const write = writer.write.bind(writer);
    let writes = 0;
    writer.write = ((...args: Parameters<typeof write>) => {
      if (++writes === after) abort.abort();
      return write(...args);
    }) as typeof write;
    await indexIdsJob.run(log.ctx, abort.signal).catch(() => {});
    writer.write = write;
    await findsAll();
  }
  await indexIdsJob.run(log.ctx, signal);
  expect(indexes().map(({ length }) => length)).toEqual([INDEX_SEGMENTS, INDEX_SEGMENTS]);
  const [left] = log
    .reader(project)
    .rows(
      'SELECT count(*) FROM event_id_pages WHERE id / 4096 NOT IN (SELECT no FROM event_id_indexes WHERE ready = 1)',
    );
  expect(left).toEqual([0]);
  await findsAll();
});

test('an index with a segment that was deleted or rewritten is built anew', async () => {
  const isKept = ({ ts }: PricedEvent): boolean => ts >= NOON - 120 * DAY_MS;
  await log.store.deleteBefore(project, NOON - 120 * DAY_MS, { signal });
  await findsAll(isKept);
  expect(await indexIdsJob.run(log.ctx, signal)).toMatchObject({ dropped: 1 });
  await findsAll(isKept);
  const user = { userId: 'ada', name: 'erased' };
  await log.store.eraseUser(project, user, { signal, cursor: 0, effects: [] });
  const isLeft = (event: PricedEvent): boolean => isKept(event) && event.user_id !== 'ada';
  await findsAll(isLeft);
  const stored = new Set(log.reader(project).rows('SELECT no FROM event_segments').flat());
  await indexIdsJob.run(log.ctx, signal);
  expect(
    indexes()
      .flat()
      .filter((no) => !stored.has(no)),
  ).toEqual([]);
  expect(indexes()).toHaveLength(1);
  await findsAll(isLeft);
});
