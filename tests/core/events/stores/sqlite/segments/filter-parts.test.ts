import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import {
  addToBloom,
  createBloom,
  isInBloom,
} from '../../../../../../src/core/events/stores/sqlite/codecs/bloom.ts';
import { frame, unframe } from '../../../../../../src/core/events/stores/sqlite/codecs/frame.ts';
import {
  joinSections,
  splitSections,
} from '../../../../../../src/core/events/stores/sqlite/codecs/sections.ts';
import {
  decodeFilterPart,
  encodeFilterParts,
  filterPartOf,
} from '../../../../../../src/core/events/stores/sqlite/segments/filter-parts.ts';
import { PIECE, PIECE_SPACE } from '../../../../../../src/core/events/stores/sqlite/segments/pieces.ts';
import { toBytes } from '../../../../../../src/core/events/stores/sqlite/segments/segment-blobs.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { openReadConnection, openWriteConnection } from '../../../../../../src/db/connection.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { randomBelow } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

const EVENTS = 5_000;

let log: OpenLog;
let project: ProjectScope;
let events: PricedEvent[];

beforeAll(async () => {
  log = openLog();
  project = await log.newProject();
  events = Array.from({ length: EVENTS }, (_, i) =>
    makeEvent({ ts: NOON + i, trace_id: crypto.randomUUID().replaceAll('-', '') }),
  );
  await log.record(project, events);
  await log.seal(project);
});
afterAll(() => log.close());

const pieces = (): number[] =>
  log
    .reader(project)
    .rows('SELECT id FROM event_pieces')
    .map(([id]) => Number(id) % PIECE_SPACE);

async function findsAll(): Promise<void> {
  for (const { event_id: id, trace_id } of events.filter((_, i) => i % 97 === 0)) {
    expect((await log.store.trace(ofProject(project), trace_id))?.parse().trace.spans).toBe(1);
    expect((await log.store.event(ofProject(project), { id, ts: null }))?.event.trace_id).toBe(trace_id);
  }
  for (let i = 0; i < 50; i++) {
    expect(await log.store.trace(ofProject(project), crypto.randomUUID().replaceAll('-', ''))).toBeNull();
    expect(await log.store.event(ofProject(project), { id: crypto.randomUUID(), ts: null })).toBeNull();
  }
}

const total = async (): Promise<number> =>
  (
    await log.store.events(ofProject(project), {
      filters: {},
      calls: false,
      window: { from: NOON, to: NOON + EVENTS },
      cursor: null,
      limit: 1,
    })
  ).parse().total;

test('a large segment has filters in parts, and no whole ones', async () => {
  expect(pieces().filter((piece) => piece >= 48)).toHaveLength(16);
  expect(pieces()).not.toContain(PIECE['trace_id filter']);
  expect(pieces()).not.toContain(PIECE['event_id filter']);
  await findsAll();
});

test('a part has few false positives', () => {
  const below = randomBelow();
  const ids = Int32Array.from({ length: 16_384 * 4 }, () => below(2 ** 32) | 0);
  const parts = new Map(encodeFilterParts('trace_id', ids));
  const has = (words: Int32Array, at: number): boolean => {
    const part = decodeFilterPart(parts.get(filterPartOf('trace_id', words, at)) ?? new Uint8Array());
    return part !== null && isInBloom(part, words, at);
  };
  for (let at = 0; at < ids.length; at += 4) if (!has(ids, at)) throw new Error(`${at} is missing`);
  const others = Int32Array.from({ length: 100_000 * 4 }, () => below(2 ** 32) | 0);
  let found = 0;
  for (let at = 0; at < others.length; at += 4) if (has(others, at)) found++;
  expect(found).toBeLessThan(200);
  expect(Math.max(...[...parts.values()].map(({ length }) => length))).toBeLessThan(4_050);
});

test('segments of the former format, with whole filters, are found and deduplicated', async () => {
  toFormerFormat(log.ctx.db.path);
  await log.reopen();
  expect(pieces().filter((piece) => piece >= 48)).toEqual([]);
  await findsAll();
  expect(await total()).toBe(EVENTS);
  await log.record(project, events.slice(0, 200));
  expect(await total()).toBe(EVENTS);
});

/** Replaces the parts of filters by whole filters. */
function toFormerFormat(path: string): void {
  const read = openReadConnection(path);
  const write = openWriteConnection(path);
  const ids = { event_id: PIECE.event_id, trace_id: PIECE.trace_id };
  const segments = read.prepare('SELECT no, project, small FROM event_segments').raw(true).all([]);
  for (const [no, owner, small] of segments as [number, number, Uint8Array][]) {
    const sections = splitSections(unframe(new Uint8Array(toBytes(small))));
    for (const [column, piece] of Object.entries(ids)) {
      const [[blob] = [null]] = read
        .prepare('SELECT data FROM event_pieces WHERE id = ?')
        .raw(true)
        .all([no * PIECE_SPACE + piece]) as [Uint8Array][];
      const words = new Int32Array(unframe(new Uint8Array(toBytes(blob))).slice().buffer);
      const filter = createBloom(words.length / 4);
      for (let at = 0; at < words.length; at += 4) addToBloom(filter, words, at);
      // An empty section means that the piece has a row of its own.
      sections[PIECE[`${column as keyof typeof ids} filter`]] = new Uint8Array();
      write
        .prepare('INSERT INTO event_pieces (id, project, data) VALUES (?, ?, ?)')
        .run([no * PIECE_SPACE + PIECE[`${column as keyof typeof ids} filter`], owner, frame(filter)]);
    }
    write
      .prepare('UPDATE event_segments SET small = ? WHERE no = ?')
      .run([frame(joinSections(sections)), no]);
  }
  write.prepare('DELETE FROM event_pieces WHERE id % ? >= 48').run([PIECE_SPACE]);
  read.close();
  write.close();
}
