import { describe, expect, test } from 'bun:test';
import type { Ctx } from '../../../src/context.ts';
import { openSqliteStore } from '../../../src/core/events/index.ts';
import { sealRead } from '../../../src/core/events/stores/sqlite/seal/read-batches.ts';
import { mergeRead } from '../../../src/core/events/stores/sqlite/seal/read-small.ts';
import { replaceBySegments } from '../../../src/core/events/stores/sqlite/seal/replace.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import type { SealWork } from '../../../src/core/events/stores/sqlite/seal/wire.ts';
import type { ProjectScope } from '../../../src/core/tenancy/index.ts';
import type { Writer } from '../../../src/db/writer.ts';
import { openFolder } from '../../helpers/folder.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';
import { countedOnce } from '../support/counted-in.ts';
import { NOON } from '../support/make-event.ts';
import { makeForest } from '../support/make-forest.ts';
import { randomEvents, type SentEvent } from '../support/random-events.ts';
import { readAll, withoutTrees } from '../support/read-all.ts';
import { recountAll } from '../support/recount-all.ts';
import { record, send } from '../support/send.ts';
import { findOrCreate, openContext } from '../support/sqlite.ts';

const DAY = 86_400_000;
const ABANDONED = new Error('abandoned by the test');

/** A writer that works for a number of writes and then fails. */
function failingAfter(writer: Writer, writes: number): Writer {
  let left = writes;
  return {
    ...writer,
    write: (op, payload, weight) =>
      left-- > 0 ? writer.write(op, payload, weight) : Promise.reject(ABANDONED),
  };
}

/** Replaces batches or segments once: false if there was nothing to replace, or if the writer failed. */
const replaceOnce = (writer: Writer, project: number, read: () => Promise<SealWork | null>) =>
  replaceBySegments({
    writer,
    project,
    read,
    workOf: (work) => work,
    onUnsealed() {},
    sleep: (ms) => Bun.sleep(ms),
  }).then(
    (work) => work !== null,
    (error) => {
      if (error !== ABANDONED) throw error;
      return false;
    },
  );

const readSeal = (ctx: Ctx, project: number) => async () =>
  (await ctx.db.read(sealRead, [project], { project })).parse()?.work ?? null;
const readMerge = (ctx: Ctx, project: number) => async () =>
  (await ctx.db.read(mergeRead, [project], { project })).parse();

/** Number of rows that belong to no visible segment. */
async function leftovers({ db }: Ctx): Promise<number> {
  const [row] = await db.sql.all<{ rows: number }>(`
    SELECT (SELECT count(*) FROM event_segments WHERE ready = 0)
      + (SELECT count(*) FROM event_pieces WHERE id / 64 NOT IN (SELECT no FROM event_segments))
      + (SELECT count(*) FROM event_blocks WHERE id / 16384 NOT IN (SELECT no FROM event_segments))
      + (SELECT count(*) FROM event_log_flips WHERE seq NOT IN (SELECT seq FROM event_log)) AS rows`);
  return row?.rows ?? -1;
}

/** Native events with a large input, and spans, as they are sent. */
function makeEvents(): { readonly native: SentEvent[]; readonly spans: SentEvent[] } {
  const random = createRandom(TEST_SEED);
  const text = (): string => Array.from({ length: 2_000 }, () => random().toString(36)).join('');
  const native = randomEvents(TEST_SEED, 120, NOON - DAY, NOON).map((event) => ({ ...event, input: text() }));
  return { native, spans: Array.from({ length: 6 }, () => makeForest(random)).flat() };
}

describe('sealing that is abandoned after any write', () => {
  test('loses no event, stores none twice, and leaves nothing over', async () => {
    const folder = openFolder();
    const { native, spans } = makeEvents();
    const expected = withoutTrees(recountAll([...native, ...countedOnce(spans)]));
    const path = folder.path('test.db');
    let open = openContext(path, 'inline');
    let project: ProjectScope = await findOrCreate(open.ctx, 'sealed', 'Acme');
    const check = async (): Promise<void> => {
      await open.close();
      open = openContext(path, 'inline');
      project = await findOrCreate(open.ctx, 'sealed', 'Acme');
      expect(withoutTrees(await readAll(openSqliteStore(open.ctx), project))).toEqual(expected);
    };
    await send(openSqliteStore(open.ctx), project, native, createRandom(TEST_SEED));
    for (const [place] of spans.entries())
      await record(openSqliteStore(open.ctx), project, spans.slice(place, place + 1), { spans: true });
    await check();

    let abandoned = 0;
    for (let isSealed = false; !isSealed; ) {
      const { ctx } = open;
      const writer = failingAfter(ctx.db.writer, abandoned);
      isSealed = await replaceOnce(writer, project.no, readSeal(ctx, project.no));
      if (!isSealed) abandoned++;
      await check();
    }
    // Begin, pieces and blocks in several slices, finish.
    expect(abandoned).toBeGreaterThan(4);
    expect(await leftovers(open.ctx)).toBe(0);
    const again = await record(openSqliteStore(open.ctx), project, native);
    expect(again).toMatchObject({ stored: 0 });
    await open.close();
    folder.remove();
  }, 60_000);
});

describe('merging small segments', () => {
  test('changes nothing that is read, also when it is abandoned after any write', async () => {
    const folder = openFolder();
    const path = folder.path('test.db');
    const { ctx, close } = openContext(path, 'inline');
    const project = await findOrCreate(ctx, 'merged', 'Acme');
    const store = openSqliteStore(ctx);
    const events = randomEvents(TEST_SEED, 300, NOON - DAY / 2, NOON);
    const random = createRandom(TEST_SEED);
    for (let from = 0; from < events.length; from += 25) {
      await send(store, project, events.slice(from, from + 25), random);
      await ctx.use(sealerService).sealAll(project.no);
    }
    const before = await readAll(store, project);
    expect(before).toEqual(recountAll(events));
    for (let writes = 0, isMerged = false; !isMerged; writes++) {
      const writer = failingAfter(ctx.db.writer, writes);
      isMerged = await replaceOnce(writer, project.no, readMerge(ctx, project.no));
      expect(await readAll(store, project)).toEqual(before);
    }
    expect(await ctx.use(sealerService).mergeSmall(project.no)).toBe(0);
    const segments = await ctx.db.sql.all<{ events: number }>('SELECT events FROM event_segments');
    expect(segments).toEqual([{ events: events.length }]);
    expect(await leftovers(ctx)).toBe(0);
    await close();
    folder.remove();
  }, 60_000);
});

describe('sealing', () => {
  test('is repeated if what it replaces changed meanwhile', async () => {
    const folder = openFolder();
    const { ctx, close } = openContext(folder.path('test.db'), 'inline');
    const project = await findOrCreate(ctx, 'changed', 'Acme');
    const store = openSqliteStore(ctx);
    const spans = makeForest(createRandom(TEST_SEED));
    const half = Math.ceil(spans.length / 2);
    await record(store, project, spans.slice(0, half), { spans: true });
    let reads = 0;
    const read = async (): Promise<SealWork | null> => {
      const work = await readSeal(ctx, project.no)();
      // Another sealer is faster the first time.
      if (reads++ === 0) {
        await record(store, project, spans.slice(half), { spans: true });
        await ctx.use(sealerService).sealAll(project.no);
        await record(store, project, randomEvents(TEST_SEED, 20, NOON, NOON + DAY / 4));
      }
      return work;
    };
    expect(await replaceOnce(ctx.db.writer, project.no, read)).toBe(true);
    expect(reads).toBe(2);
    expect(await leftovers(ctx)).toBe(0);
    const all = [...countedOnce(spans), ...randomEvents(TEST_SEED, 20, NOON, NOON + DAY / 4)];
    const noKeys = all.map((event) => ({ ...event, key_id: null }));
    expect(withoutTrees(await readAll(store, project))).toEqual(withoutTrees(recountAll(noKeys)));
    await close();
    folder.remove();
  });
});
