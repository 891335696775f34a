import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { runJob, type Scheduler, startScheduler } from '../../../src/core/jobs/index.ts';
import { unavailable } from '../../../src/errors.ts';
import type { Job } from '../../../src/module.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type JobFixture, openJobFixture } from './fixture.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
let fixture: JobFixture;
let scheduler: Scheduler | null;
beforeEach(() => {
  fixture = openJobFixture(NOW);
  scheduler = null;
});
afterEach(async () => {
  await scheduler?.stop();
  await fixture.close();
});

const never = 1_000_000;
const job = (name: string, schedule: string, run: Job['run'] = async () => ({})): Job => ({
  name,
  summary: 'Work',
  schedule,
  run,
});
const rows = async (): Promise<unknown[]> =>
  (await fixture.run('SELECT job, trigger, status FROM job_runs ORDER BY rowid')).rows.map((row) =>
    row.join(' '),
  );

test('runs a job by the calendar, skips a run that would overlap, and ends it at the stop', async () => {
  let begun = 0;
  const busy = job('test.busy', '* * * * * *', async (_ctx, signal) => {
    begun++;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  });
  const warn = spyOn(fixture.ctx.log, 'warn');
  scheduler = await startScheduler(fixture.ctx, [busy], { catchUpAfterMs: never });
  await eventually('a run that is skipped', () => warn.mock.calls.length > 0);
  expect(warn.mock.calls[0]).toEqual([
    { job: 'test.busy', reason: expect.stringContaining('already running') },
    'a job was skipped',
  ]);
  expect(begun).toBe(1);
  expect(await rows()).toEqual(['test.busy schedule running']);
  await scheduler.stop();
  expect(await rows()).toEqual(['test.busy schedule interrupted']);
  // A whole second of the calendar, which only time can bring.
  const skipped = warn.mock.calls.length;
  await Bun.sleep(1100);
  expect([begun, warn.mock.calls.length]).toEqual([1, skipped]);
});

test('closes runs that a dead process left open', async () => {
  await fixture.run("INSERT INTO job_runs VALUES ('r', 'test.dead', 'manual', ?, NULL, 'running', NULL)", [
    NOW,
  ]);
  scheduler = await startScheduler(fixture.ctx, [], { catchUpAfterMs: never });
  expect(await rows()).toEqual(['test.dead manual interrupted']);
});

test('starts also where they cannot be closed, and the next run of the job closes its own', async () => {
  await fixture.run("INSERT INTO job_runs VALUES ('r', 'test.dead', 'manual', ?, NULL, 'running', NULL)", [
    NOW,
  ]);
  spyOn(fixture.ctx.db.sql, 'update').mockImplementationOnce(() => {
    throw unavailable('The disk is full', 1);
  });
  const warn = spyOn(fixture.ctx.log, 'warn');
  scheduler = await startScheduler(fixture.ctx, [], { catchUpAfterMs: never });
  expect(warn).toHaveBeenCalledTimes(1);
  await runJob(fixture.ctx, job('test.dead', '0 3 * * *'), 'schedule');
  expect(await rows()).toEqual(['test.dead manual interrupted', 'test.dead schedule ok']);
});

test('makes up for runs that were missed while nothing ran, and for those only', async () => {
  const ended = (name: string, at: number, status = 'ok'): Promise<unknown> =>
    fixture.run("INSERT INTO job_runs VALUES (?, ?, 'schedule', ?, ?, ?, NULL)", [
      crypto.randomUUID(),
      name,
      at,
      at,
      status,
    ]);
  const today = Date.UTC(2026, 0, 31, 3, 10);
  await ended('test.done', today);
  await ended('test.failed', today, 'failed');
  await ended('test.missed', today - 86_400_000);
  await ended('test.stopped', today - 86_400_000);
  await ended('test.stopped', today, 'interrupted');
  await ended('test.future', Date.UTC(2100, 0, 1));
  const names = ['test.done', 'test.failed', 'test.future', 'test.missed', 'test.new', 'test.stopped'];
  const jobs = names.map((name) => job(name, '10 3 * * *'));
  const before = (await rows()).length;
  scheduler = await startScheduler(fixture.ctx, jobs, { catchUpAfterMs: 1 });
  await eventually('three ended runs', async () => {
    const ended = (await rows()).slice(before).filter((row) => String(row).endsWith('ok'));
    return ended.length >= 3;
  });
  expect((await rows()).slice(before)).toEqual([
    'test.missed schedule ok',
    'test.new schedule ok',
    'test.stopped schedule ok',
  ]);
});

test('refuses an invalid schedule', () => {
  expect(startScheduler(fixture.ctx, [job('test.wrong', 'at night')])).rejects.toThrow();
});
