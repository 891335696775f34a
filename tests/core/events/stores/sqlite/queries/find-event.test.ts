import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { idWords } from '../../../../../../src/core/events/stores/sqlite/packs/id-bytes.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { packed, sealed } from '../../../../../event-store/sqlite/make-chunk.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { type OpenLog, openLog } from '../open-log.ts';

const EVENTS = 600;

/** Random ids, counted ones and ids with a time that is not the event's. */
const idOf = (i: number): string =>
  i % 3 === 0
    ? crypto.randomUUID()
    : i % 3 === 1
      ? `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`
      : Bun.randomUUIDv7('hex', NOON + i);

let log: OpenLog;
let project: ProjectScope;
const events: readonly PricedEvent[] = Array.from({ length: EVENTS }, (_, i) =>
  makeEvent({ event_id: idOf(i), ts: NOON - Math.floor(((i * 7) % EVENTS) * (DAY_MS / 30)), cost_nano: i }),
);

beforeAll(async () => {
  log = openLog();
  project = await log.newProject();
  for (let at = 0; at < EVENTS; at += 50) {
    await log.record(project, events.slice(at, at + 50));
    // The last ones stay in the log, as the newest events of a project do.
    if (at < EVENTS - 150 && at % 100 === 50) await log.seal(project);
    if (at === 300) await log.reopen();
  }
});
afterAll(() => log.close());

test('any event is found by its id alone, sealed or not, and with its time', async () => {
  const [row] = log.reader(project).rows('SELECT count(*) FROM event_segments');
  expect(row?.[0]).toBeGreaterThan(20);
  for (const { event_id: id, ts, cost_nano } of events) {
    expect((await log.store.event(ofProject(project), { id, ts: null }))?.costNano).toBe(cost_nano);
    expect((await log.store.event(ofProject(project), { id, ts }))?.event.event_id).toBe(id);
  }
});

test('an unknown id, an id at another time and an id of another project are not found', async () => {
  const other = await log.newProject();
  const find = (scope: ProjectScope, id: string, ts: number | null) =>
    log.store.event(ofProject(scope), { id, ts });
  for (let i = 0; i < 100; i++) expect(await find(project, crypto.randomUUID(), null)).toBeNull();
  for (const { event_id, ts } of events.slice(0, 50)) {
    expect(await find(project, event_id, ts + 1)).toBeNull();
    expect(await find(other, event_id, null)).toBeNull();
  }
});

test('the filter of a segment has few false positives', () => {
  for (const make of [(): string => crypto.randomUUID(), (): string => Bun.randomUUIDv7()]) {
    const chunk = sealed([packed(Array.from({ length: 8_192 }, () => makeEvent({ event_id: make() })))]);
    const others = Array.from({ length: 20_000 }, () => ({ words: idWords('event_id', make()) }));
    expect(chunk.likely('event_id', others).length).toBeLessThan(20_000 / 200);
    expect(others.filter(({ words }) => chunk.mayHave('event_id', words)).length).toBeLessThan(20_000 / 200);
  }
});
