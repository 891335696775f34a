import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type EventFilters, eventsOf, type Window } from '../../../src/core/events/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { ofProject, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import type { Job } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from '../../core/jobs/fixture.ts';

const NOW = Date.UTC(2026, 5, 15, 3, 10);
const KEPT = NOW - 7 * DAY_MS;
const [job] = retentionModule.jobs as [Job];
/** A call in each hour of forty days. */
const times = Array.from({ length: 40 * 24 }, (_, i) => NOW - i * HOUR_MS);

let fixture: JobFixture;
let scope: ProjectScope;
beforeEach(async () => {
  fixture = openJobFixture(NOW, [retentionModule]);
  await fixture.addOrganization('org', 'free');
  scope = await fixture.addProject('p', 'org');
  await fixture.record(scope, times, { user_id: 'ada' });
});
afterEach(() => fixture.close());

/** Calls in a window, in all and by user. */
async function countedIn(window: Window): Promise<{ requests: number; byUser: unknown[] }> {
  const of = { measures: ['requests', 'cost', 'inputTokens'], window } as const;
  const { all, users } = await eventsOf(fixture.ctx).metrics(ofProject(scope), {
    all: of,
    users: { ...of, groupBy: ['userId'], top: 10 },
  });
  return {
    requests: all[0]?.requests ?? Number.NaN,
    byUser: users.map(({ userId, requests }) => [userId, requests]),
  };
}

const callsIn = ({ from, to }: Window): number => times.filter((ts) => ts >= from && ts < to).length;
const startOf = (ts: number): number => Math.floor(ts / DAY_MS) * DAY_MS;

test('only calls without a user are listed without one, although rows of the first day are deleted', async () => {
  await runJob(fixture.ctx, job, 'schedule');
  const day = startOf(KEPT);
  const windows: readonly (readonly [asked: Window, told: Window])[] = [
    // The first day is told as a whole: by user that is all there is.
    [
      { from: day - 10 * DAY_MS + 5 * HOUR_MS, to: NOW + 1 },
      { from: day - 10 * DAY_MS, to: NOW + 1 },
    ],
    [
      { from: day - 10 * DAY_MS + 5 * HOUR_MS, to: day - 3 * DAY_MS + 9 * HOUR_MS },
      { from: day - 10 * DAY_MS, to: day - 2 * DAY_MS },
    ],
    [
      { from: day + HOUR_MS, to: day + 20 * HOUR_MS },
      { from: day, to: day + DAY_MS },
    ],
    // Where rows are, to the millisecond.
    [
      { from: KEPT + 1, to: KEPT + 5 * HOUR_MS },
      { from: KEPT + 1, to: KEPT + 5 * HOUR_MS },
    ],
    [
      { from: NOW - 3 * DAY_MS - 1234, to: NOW - 17 * HOUR_MS },
      { from: NOW - 3 * DAY_MS - 1234, to: NOW - 17 * HOUR_MS },
    ],
  ];
  for (const [asked, told] of windows) {
    expect((await countedIn(asked)).byUser).toEqual([['ada', callsIn(told)]]);
  }
});

test('a late event does not make deleted rows appear complete', async () => {
  await runJob(fixture.ctx, job, 'schedule');
  const window = { from: NOW - 20 * DAY_MS + 600_000, to: NOW };
  const before = await countedIn(window);
  await fixture.record(scope, [NOW - 60 * DAY_MS, NOW - 20 * DAY_MS + 900_000], { user_id: 'ada' });
  const stored = async (): Promise<number[]> => {
    const list = { window: { from: 0, to: 8.64e15 }, calls: true, cursor: null, limit: 1 };
    const page = async (filters: EventFilters): Promise<number> =>
      (await eventsOf(fixture.ctx).events(ofProject(scope), { ...list, filters })).parse().total;
    return [await page({ userId: 'ada' }), await page({}), fixture.timesOf(scope).length];
  };
  expect(await stored()).toEqual([171, 171, 171]);
  expect((await countedIn(window)).requests).toBe(before.requests + 1);
  await runJob(fixture.ctx, job, 'schedule');
  expect(await stored()).toEqual([169, 169, 169]);
});

test('a project of which nothing was deleted has lost no rows', async () => {
  fixture.clock = NOW - 35 * DAY_MS;
  const young = await fixture.addProject('young', 'org');
  await fixture.record(young, [NOW - DAY_MS], { user_id: 'ada' });
  fixture.clock = NOW;
  await runJob(fixture.ctx, job, 'schedule');
  expect((await fixture.run('SELECT project, ts FROM rows_from')).rows).toEqual([[scope.no, KEPT]]);
});
