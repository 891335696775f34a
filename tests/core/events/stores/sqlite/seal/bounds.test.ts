import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { pages } from '../../../../../event-store/support/read-all.ts';
import { record } from '../../../../../event-store/support/send.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

const window = { from: NOON - DAY_MS, to: NOON + DAY_MS };

/** The numbers of events of each segment, oldest first. */
const segmentsOf = (project: ProjectScope): number[] =>
  log
    .reader(project)
    .rows('SELECT events FROM event_segments WHERE ready = 1 ORDER BY no')
    .map(([events]) => Number(events));

const requestsOf = async (project: ProjectScope): Promise<unknown> =>
  (await log.store.metrics(ofProject(project), { a: { measures: ['requests', 'errors'], window } }))['a'];

/** All events as the list has them, the newest first. */
const listed = (project: ProjectScope) =>
  pages(async (cursor) => {
    const query = { filters: {}, calls: false, window, cursor, limit: 200 };
    const page = (await log.store.events(ofProject(project), query)).parse();
    return { rows: page.events, nextCursor: page.nextCursor };
  });

test('long texts that compress well are read and sealed some megabytes at a time', async () => {
  const project = await log.newProject();
  const events = Array.from({ length: 500 }, (_, i) =>
    makeEvent({ ts: NOON + i, metadata: { text: String(i % 10).repeat(90_000) } }),
  );
  // Each is nine megabytes when it is decoded, and takes some kilobytes of the log.
  for (let from = 0; from < events.length; from += 100)
    await record(log.store, project, events.slice(from, from + 100));
  const texts = (rows: readonly { metadata: unknown }[]) => rows.map(({ metadata }) => metadata);
  const sent = texts(events.toReversed());
  expect(texts(await listed(project))).toEqual(sent);
  await log.seal(project);
  expect(segmentsOf(project)).toEqual([400, 100]);
  expect(texts(await listed(project))).toEqual(sent);
});

test('a seal changes a bounded number of sums, and adds up to the same', async () => {
  const project = await log.newProject();
  const failed = (i: number): PricedEvent =>
    makeEvent({ ts: NOON + i, status: 'error', error_code: `request ${i}` });
  const events = Array.from({ length: 6_000 }, (_, i) => failed(i));
  for (let from = 0; from < events.length; from += 500)
    await record(log.store, project, events.slice(from, from + 500));
  const before = await requestsOf(project);
  await log.seal(project);
  expect(segmentsOf(project)).toEqual([3_000, 3_000]);
  expect(await requestsOf(project)).toEqual(before);
});
