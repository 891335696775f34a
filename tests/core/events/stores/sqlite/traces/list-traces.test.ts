import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ofProject } from '../../../../../../src/core/tenancy/index.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { ALL, pages } from '../../../../../event-store/support/read-all.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

const QUERY = { filters: {}, calls: false, window: ALL };

test('a busy hour is listed in stretches, and so is a busy millisecond', async () => {
  const project = await log.newProject();
  const random = createRandom(7);
  const busy = Array.from({ length: 9_000 }, (_, i) =>
    makeEvent({
      ts: i % 3 === 0 ? NOON : NOON + Math.floor(random() * 60_000),
      trace_id: `t-${String(Math.floor(random() * 300)).padStart(3, '0')}`,
    }),
  );
  await log.record(project, busy.slice(0, 6_000));
  await log.seal(project);
  await log.record(project, busy.slice(6_000));
  const firstOf = new Map<string, number>();
  for (const { trace_id, ts } of busy)
    firstOf.set(trace_id, Math.min(ts, firstOf.get(trace_id) ?? Number.POSITIVE_INFINITY));
  const ids = await pages(async (cursor) => {
    const page = (await log.store.traces(ofProject(project), { ...QUERY, cursor, limit: 40 })).parse();
    return { rows: page.traces.map(({ trace_id }) => trace_id), nextCursor: page.nextCursor };
  });
  const expected = [...firstOf].sort(([a, x], [b, y]) => y - x || (a > b ? -1 : 1)).map(([id]) => id);
  expect(ids).toEqual(expected);
});

test('a trace is named after its root, and has user and session from there or from any span', async () => {
  const project = await log.newProject();
  const elsewhere = { parent_span_id: 'elsewhere' };
  await log.record(project, [
    makeEvent({ trace_id: 't', ts: NOON, ...elsewhere, name: 'child', user_id: 'ada' }),
    makeEvent({ trace_id: 't', ts: NOON + 1, name: 'root', session_id: 's1' }),
    makeEvent({ trace_id: 'u', ts: NOON - 1, ...elsewhere, operation: 'embed' }),
  ]);
  const page = await log.store.traces(ofProject(project), { ...QUERY, cursor: null, limit: 5 });
  expect(page.parse().traces.map(({ name, user_id, session_id }) => [name, user_id, session_id])).toEqual([
    ['root', 'ada', 's1'],
    ['embed', null, null],
  ]);
});
