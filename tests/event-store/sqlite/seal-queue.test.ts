import { expect, test } from 'bun:test';
import { openSqliteStore } from '../../../src/core/events/index.ts';
import { createSealQueue } from '../../../src/core/events/stores/sqlite/seal/seal-queue.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openFolder } from '../../helpers/folder.ts';
import { makeEvent, NOON } from '../support/make-event.ts';
import { inBatches, record } from '../support/send.ts';
import { findOrCreate, openContext } from '../support/sqlite.ts';

const FEW = { ofProject: 100, batches: 10, ofAll: 1_000 };

test('projects with a full segment or many batches come first, then the largest, then merges', () => {
  const queue = createSealQueue();
  queue.note(1, FEW);
  expect(queue.next()).toBeNull();
  queue.noteSmall(4, 64);
  expect(queue.next()).toEqual({ kind: 'merge', project: 4 });
  queue.note(1, { ...FEW, ofAll: 131_073 });
  expect(queue.next()).toEqual({ kind: 'largest' });
  queue.note(2, { ...FEW, batches: 2_048, ofAll: 131_073 });
  queue.note(3, { ofProject: 20_480, batches: 1, ofAll: 131_073 });
  expect(queue.next()).toEqual({ kind: 'seal', project: 2 });
  queue.setAside(2);
  expect(queue.next()).toEqual({ kind: 'seal', project: 3 });
  queue.note(3, FEW);
  queue.takeBack(2);
  queue.note(2, FEW);
  queue.noteMerged(4);
  expect(queue.next()).toBeNull();
});

test('a project is sealed by itself as soon as it has events for a segment and newer ones', async () => {
  const folder = openFolder();
  const { ctx, close } = openContext(folder.path('test.db'), 'inline');
  const project = await findOrCreate(ctx, 'busy', 'Acme');
  const idle = await findOrCreate(ctx, 'idle', 'Acme');
  const store = openSqliteStore(ctx);
  const events = Array.from({ length: 20_500 }, (_, place) =>
    makeEvent({ event_id: crypto.randomUUID(), ts: NOON + place }),
  );
  for (const batch of inBatches(events, 500)) await record(store, project, batch);
  // One project is sealed at a time, so this waits for the other.
  await ctx.use(sealerService).sealAll(idle.no);
  const [left] = await ctx.db.sql.all<{ events: number }>('SELECT sum(events) AS events FROM event_log');
  const segments = await ctx.db.sql.all<{ events: number }>('SELECT events FROM event_segments WHERE ready');
  expect(segments).toEqual([{ events: 16_000 }]);
  expect(left).toEqual({ events: 4_500 });
  await close();
  folder.remove();
}, 60_000);

test('what an earlier run left unsealed is counted and sealed without a new batch', async () => {
  const folder = openFolder();
  const earlier = openContext(folder.path('test.db'), 'inline');
  const { no } = await findOrCreate(earlier.ctx, 'left', 'Acme');
  const events = Array.from({ length: 1_000 }, (_, place) =>
    makeEvent({ event_id: crypto.randomUUID(), ts: NOON + place }),
  );
  await record(openSqliteStore(earlier.ctx), await findOrCreate(earlier.ctx, 'left', 'Acme'), events);
  // As many batches as make a segment, which no sealer has seen.
  const columns = 'project, events, first_ts, last_ts, labels, dropped, ids, pack';
  const copy = `INSERT INTO event_log (${columns}) SELECT ${columns} FROM event_log WHERE seq = 1`;
  await earlier.ctx.db.writer.write(
    sqlOp,
    Array.from({ length: 20 }, () => ({ sql: copy, args: [] })),
  );
  await earlier.close();

  const { ctx, close } = openContext(folder.path('test.db'), 'inline');
  const store = openSqliteStore(ctx);
  expect(store.hasRoom()).toBe(false);
  const left = async () =>
    (await ctx.db.sql.all<{ n: number }>(`SELECT count(*) AS n FROM event_log WHERE project = ${no}`))[0]?.n;
  await eventually('a segment', async () => (await left()) === 5);
  expect(store.hasRoom()).toBe(true);
  await close();
  folder.remove();
}, 60_000);
