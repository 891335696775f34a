import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { HOUR_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { makeSpan } from '../../../../../event-store/support/make-forest.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

const trace = 'ab'.repeat(16);
const usage = { input_tokens: 9, buckets: { ...makeEvent().buckets, fresh: 9 } };
const outer = makeSpan(trace, '1'.repeat(16), { ...usage, ts: NOON });
const inner = makeSpan(trace, '2'.repeat(16), { ...usage, parent_span_id: outer.span_id, ts: NOON + 5 });

const eventsOf = async (project: ProjectScope, calls: boolean) => {
  const window = { from: NOON, to: NOON + HOUR_MS };
  const query = { filters: {}, calls, window, cursor: null, limit: 9 };
  return (await log.store.events(ofProject(project), query)).parse();
};

test('a wrapper replaces a span that arrived tens of thousands of events earlier, after a restart', async () => {
  const project = await log.newProject();
  await log.record(project, [inner], { spans: true });
  expect((await eventsOf(project, true)).events.map(({ event_id }) => event_id)).toEqual([inner.event_id]);
  for (let batch = 0; batch < 5; batch++) {
    const others = Array.from({ length: 4_000 }, () => makeEvent({ ts: NOON - HOUR_MS }));
    await log.record(project, others, { spans: batch === 3 });
  }
  await log.seal(project);
  await log.reopen();
  await log.record(project, [outer], { spans: true });
  for (const isSealed of [false, true]) {
    if (isSealed) await log.seal(project);
    const counted = await eventsOf(project, true);
    expect(counted.events.map(({ event_id }) => event_id)).toEqual([outer.event_id]);
    expect(counted.total).toBe(1);
    const all = await eventsOf(project, false);
    expect(all.events.map((event) => [event.counted, event.cost_usd])).toEqual([
      [false, null],
      [true, 0.001],
    ]);
  }
});
