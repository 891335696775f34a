import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ofProject } from '../../../../../../src/core/tenancy/index.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { ALL, pages } from '../../../../../event-store/support/read-all.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

test('one session of very many events is a page that ends before it is full', async () => {
  const project = await log.newProject();
  const busy = Array.from({ length: 12_000 }, (_, i) => makeEvent({ ts: NOON + i, session_id: 'busy' }));
  await log.record(project, [makeEvent({ ts: NOON - 1, session_id: 'calm' }), ...busy.slice(0, 8_000)]);
  await log.seal(project);
  await log.record(project, busy.slice(8_000));
  const found: string[][] = [];
  const ids = await pages(async (cursor) => {
    const query = { filters: {}, calls: false, window: ALL, cursor, limit: 2 };
    const { sessions, nextCursor } = (await log.store.sessions(ofProject(project), query)).parse();
    const rows = sessions.map(({ session_id }) => session_id);
    found.push(rows);
    return { rows, nextCursor };
  });
  expect(found[0]).toEqual(['busy']);
  expect(ids).toEqual(['busy', 'calm']);
  const line = (await log.store.session(ofProject(project), 'busy'))?.parse().session;
  expect(line).toMatchObject({ session_id: 'busy', llm_calls: 12_000 });
});
