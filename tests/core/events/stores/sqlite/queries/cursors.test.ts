import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { ALL } from '../../../../../event-store/support/read-all.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
let project: ProjectScope;
beforeAll(async () => {
  log = openLog();
  project = await log.newProject();
  await log.record(project, [makeEvent({ session_id: 's' })]);
});
afterAll(() => log.close());

/** A cursor of a list of traces, whose ids are any text. */
const cursor = Buffer.from(JSON.stringify([NOON, 'not-an-event'])).toString('base64url');
const page = { filters: {}, calls: false, window: ALL, cursor, limit: 5 };

test('lists of events and sessions refuse a position without an event id', async () => {
  const scope = ofProject(project);
  for (const read of [
    () => log.store.events(scope, page),
    () => log.store.eventsAfter(scope, page),
    () => log.store.sessions(scope, page),
    () => log.store.sessionEvents(scope, { ...page, sessionId: 's' }),
  ])
    await expect(read()).rejects.toThrow('cursor: was not returned by this endpoint');
  expect((await log.store.traces(scope, page)).parse().nextCursor).toBeNull();
});
