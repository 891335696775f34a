import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { makeSpan } from '../../../../../event-store/support/make-forest.ts';
import { ALL, pages } from '../../../../../event-store/support/read-all.ts';
import { measureAll } from '../../../../../event-store/support/recount.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

type Line = {
  readonly userId: string;
  readonly requests: number;
  readonly errors: number;
  readonly cost: number;
  readonly first: number;
  readonly last: number;
  readonly events: number;
};

/** All pages of the list, by user. */
async function listAll(project: ProjectScope): Promise<Line[]> {
  const query = { window: ALL, filters: {}, search: '', sort: 'requests', desc: true, limit: 200 } as const;
  const lines = await pages(async (cursor) => {
    const { users, nextCursor } = await log.store.users(ofProject(project), { ...query, cursor });
    const rows = users.map(({ userId, figures: { requests, errors, cost_nano, first, last, events } }) => ({
      userId,
      requests,
      errors,
      cost: cost_nano / 1e9,
      first,
      last,
      events,
    }));
    return { rows, nextCursor };
  });
  return lines.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
}

/** What each user has, counted event by event. */
function recount(events: readonly PricedEvent[]): Line[] {
  const byUser = Map.groupBy(events, ({ user_id }) => user_id ?? '');
  const lines = [...byUser].map(([userId, own]): Line => {
    const { requests, errors, cost } = measureAll(own.filter(({ is_call }) => is_call));
    const times = own.map(({ ts }) => ts);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    return { userId, requests, errors, cost: expect.closeTo(cost, 9), first, last, events: own.length };
  });
  return lines.toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
}

test('many users over segments and the log have the figures of a recount', async () => {
  const project = await log.newProject();
  const random = createRandom(9);
  const events = Array.from({ length: 20_500 }, (_, i) =>
    makeEvent({ ts: NOON + i, user_id: `user-${Math.floor(random() * 1_500)}`, session_id: `s-${i % 700}` }),
  );
  for (let at = 0; at < events.length; at += 700) {
    await log.record(project, events.slice(at, at + 700));
    if (at === 4_900) await log.reopen();
    // More than one segment holds.
    if (at === 16_800) await log.seal(project);
  }
  expect(await listAll(project)).toEqual(recount(events));
  await log.seal(project);
  expect(await listAll(project)).toEqual(recount(events));
});

test('sums follow when a later span shows that a sealed call is a duplicate', async () => {
  const project = await log.newProject();
  const trace = 'cd'.repeat(16);
  const [root, child] = ['1'.repeat(16), '2'.repeat(16)];
  const usage = { user_id: 'ada', input_tokens: 7, buckets: { ...makeEvent().buckets, fresh: 7 } };
  const outer = makeSpan(trace, root, usage);
  const inner = makeSpan(trace, child, { ...usage, parent_span_id: root });
  await log.record(project, [inner], { spans: true });
  await log.seal(project);
  await log.reopen();
  await log.record(project, [outer], { spans: true });
  const expected = recount([outer, { ...inner, is_call: false }]);
  expect(await listAll(project)).toEqual(expected);
  await log.seal(project);
  expect(await listAll(project)).toEqual(expected);
});
