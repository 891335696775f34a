import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { CronTime } from 'cron';
import { createJobsModule, jobsOf, listJobs, runJob, runJobAction } from '../../../src/core/jobs/index.ts';
import { loadCalendar } from '../../../src/core/jobs/list-jobs.ts';
import { modules } from '../../../src/features.ts';
import type { Job, Module } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from './fixture.ts';

let fixture: JobFixture;
beforeEach(() => {
  fixture = openJobFixture(Date.UTC(2028, 1, 29, 3, 9, 59));
});
afterEach(() => fixture.close());

const nightly: Job = {
  name: 'b.nightly',
  summary: 'At night',
  schedule: '10 3 * * *',
  run: async () => ({ n: 1 }),
};
const hourly: Job = {
  name: 'a.hourly',
  summary: 'Each hour',
  schedule: '20 * * * *',
  run: async () => ({ n: 2 }),
};
const listed: readonly Module[] = [
  { name: 'b', jobs: [nightly] },
  { name: 'none' },
  { name: 'a', jobs: [hourly] },
];

describe('listJobs', () => {
  test('lists the last and the next run of each job', async () => {
    await runJob(fixture.ctx, nightly, 'manual');
    await runJob(fixture.ctx, nightly, 'schedule');
    expect(await listJobs(fixture.ctx, jobsOf(listed))).toEqual([
      {
        name: 'a.hourly',
        summary: 'Each hour',
        schedule: '20 * * * *',
        lastRun: null,
        nextRun: '2028-02-29T03:20:00.000Z',
      },
      {
        name: 'b.nightly',
        summary: 'At night',
        schedule: '10 3 * * *',
        lastRun: {
          trigger: 'schedule',
          startedAt: '2028-02-29T03:09:59.000Z',
          finishedAt: expect.any(String),
          status: 'ok',
          result: { n: 1 },
        },
        nextRun: '2028-02-29T03:10:00.000Z',
      },
    ]);
  });

  test.each([
    ['2026-03-29T00:30:00Z', '2026-03-29T03:10:00.000Z'], // summer time begins in Europe
    ['2026-03-29T03:10:00Z', '2026-03-30T03:10:00.000Z'],
    ['2026-11-01T03:09:59.999Z', '2026-11-01T03:10:00.000Z'], // and ends in America
    ['2026-02-28T03:10:01Z', '2026-03-01T03:10:00.000Z'],
    ['2028-02-28T03:10:01Z', '2028-02-29T03:10:00.000Z'],
    ['2026-12-31T23:00:00Z', '2027-01-01T03:10:00.000Z'],
  ])('after %s the night job comes at %s', async (now, next) => {
    const nextRunAfter = await loadCalendar();
    expect(new Date(nextRunAfter('10 3 * * *', Date.parse(now))).toISOString()).toBe(next);
  });
});

describe('jobs.run', () => {
  const action = runJobAction(() => listed);

  test('runs the job by its name', async () => {
    const run = await action.run(fixture.ctx, { name: 'a.hourly' }, { kind: 'operator' });
    expect(run).toMatchObject({ job: 'a.hourly', trigger: 'manual', status: 'ok', result: { n: 2 } });
  });

  test('lists the known jobs in the error for an unknown one', () => {
    expect(action.run(fixture.ctx, { name: 'x' }, { kind: 'operator' })).rejects.toMatchObject({
      status: 404,
      message: 'There is no job x; the jobs are a.hourly, b.nightly',
    });
  });

  test('is the action of the module', () => {
    expect(createJobsModule(() => listed).actions?.map(({ name }) => name)).toEqual(['jobs.run']);
  });
});

describe("the product's jobs", () => {
  const jobs = jobsOf(modules);

  test('have names of their own, written feature.verb', () => {
    const names = jobs.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z_]+\.[a-z_]+$/.test(name))).toEqual([]);
  });

  test('have schedules of five fields that the calendar reads', () => {
    const wrong = jobs.filter(
      ({ schedule }) => schedule.split(' ').length !== 5 || !CronTime.validateCronExpression(schedule).valid,
    );
    expect(wrong).toEqual([]);
  });
});
