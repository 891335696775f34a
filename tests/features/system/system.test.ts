import { afterAll, beforeAll, expect, test } from 'bun:test';
import { jobsOf, runJob } from '../../../src/core/jobs/index.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import type { System } from '../../../src/features/system/contract.ts';
import { modules } from '../../../src/features.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ env: { OPERATORS: 'root@example.com, Ada@example.com' } });
});
afterAll(() => world.close());

const read = async (): Promise<System> =>
  (await (await world.fetch('/v1/system', { bearer: world.seed.bearer })).json()) as System;

const metrics = async (): Promise<Map<string, number>> =>
  new Map(
    (await (await world.fetch('/metrics')).text())
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );

test('has the figures of the metrics', async () => {
  const events = Array.from({ length: 7 }, () => ({ model: 'gpt-4o', provider: 'openai' }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  const before = await metrics();
  const { ingest, writer, store, readers, versions } = await read();
  const of = (name: string): number | undefined => before.get(`spanledger_${name}`);
  expect<unknown>([ingest.events, ingest.duplicates, ingest.batches, ingest.unsealed]).toEqual([
    of('ingest_events_total'),
    of('ingest_duplicates_total'),
    of('ingest_batches_total'),
    of('unsealed_events'),
  ]);
  expect(ingest).toMatchObject({ events: 7, batches: 1, accepts: true });
  expect<unknown>([writer.writes, writer.pending, store.file, store.log]).toEqual([
    of('write_duration_seconds_count'),
    of('writer_pending_rows'),
    of('database_size_bytes'),
    of('database_wal_size_bytes'),
  ]);
  expect(writer.p99).toBeGreaterThan(0);
  expect(readers).toBeNull();
  expect(versions.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('forecasts the size from what the job measured, and shows the last run of each job', async () => {
  const job = jobsOf(modules).find(({ name }) => name === 'system.measure');
  if (job === undefined) throw new Error('no such job');
  expect((await read()).store).toMatchObject({ growth: null, fullInDays: null });
  await runJob(world.ctx, job, 'schedule');
  world.clock.set(TEST_NOW + 12 * HOUR_MS);
  const { store, jobs } = await read();
  const [first] = store.sizes;
  expect(store.sizes.length).toBe(2);
  // Half a day between the measurements.
  expect(store.growth).toBeCloseTo((store.file + store.log - (first?.bytes ?? 0)) * 2, 3);
  expect(jobs.map(({ name }) => name)).toEqual(jobsOf(modules).map(({ name }) => name));
  expect(jobs.find(({ name }) => name === 'system.measure')?.lastRun).toMatchObject({
    startedAt: new Date(TEST_NOW).toISOString(),
    status: 'ok',
    error: null,
  });
  expect(jobs.find(({ name }) => name === 'backup.copy')?.lastRun).toBeNull();
  world.clock.set(TEST_NOW);
});

test('the checks are those of the doctor', async () => {
  const reply = await world.fetch('/v1/system/checks', { bearer: world.seed.bearer });
  const { findings } = (await reply.json()) as { findings: { check: string; level: string }[] };
  for (const check of ['disk', 'write-ahead log', 'backups', 'jobs', 'channels', 'clock'])
    expect([check, findings.filter((one) => one.check === check).length > 0]).toEqual([check, true]);
});

test('only people whom OPERATORS names see it, with a confirmed address', async () => {
  const me = async (bearer: string): Promise<boolean> => {
    const reply = await world.fetch('/v1/auth/me', { bearer });
    return ((await reply.json()) as { user: { operator: boolean } }).user.operator;
  };
  const other = await world.addUser('owner');
  const tenant = await world.addTenant();
  expect([await me(world.seed.bearer), await me(other.bearer)]).toEqual([true, false]);
  for (const path of ['/v1/system', '/v1/system/checks']) {
    expect((await world.fetch(path)).status).toBe(401);
    expect((await world.fetch(path, { apiKey: world.seed.apiKey })).status).toBe(401);
    for (const { bearer } of [other, tenant]) {
      const reply = await world.fetch(path, { bearer });
      expect([path, reply.status]).toEqual([path, 403]);
      expect(await reply.text()).toContain('OPERATORS');
    }
  }
  const set = (value: number) =>
    world.ctx.db.writer.write(sqlOp, [
      { sql: 'UPDATE users SET email_verified = ? WHERE email = ?', args: [value, world.seed.email] },
    ]);
  await set(0);
  expect(await me(world.seed.bearer)).toBe(false);
  expect((await world.fetch('/v1/system', { bearer: world.seed.bearer })).status).toBe(403);
});

test('without OPERATORS nobody sees it', async () => {
  const plain = await openTestApp();
  expect((await plain.fetch('/v1/system', { bearer: plain.seed.bearer })).status).toBe(403);
  await plain.close();
});
