import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MAX_OBSERVED_PER_DAY, type ReportedDeployment } from '../../../src/core/deployments/contract.ts';
import { findDeployments } from '../../../src/core/deployments/index.ts';
import { runJob } from '../../../src/core/jobs/index.ts';
import { modules } from '../../../src/features.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { brief, type DeploymentWorld, openProject } from './world.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
});
afterAll(() => world.close());

const NOW = formatInstant(TEST_NOW);
const ago = (ms: number): string => formatInstant(TEST_NOW - ms);
const releases = async ({ list }: DeploymentWorld) => (await list()).deployments.map(brief);

test('the first event of a release makes a deployment, an earlier one moves it back', async () => {
  const project = await openProject(world);
  const staging = { release: '2.0', environment: 'staging' };
  await project.ingest({ release: '2.0' }, { ...staging, timestamp: ago(HOUR_MS) }, {});
  const [production, inStaging] = await releases(project);
  expect(production).toEqual({ release: '2.0', environment: 'production', at: NOW, source: 'observed' });
  expect(inStaging).toEqual({ ...staging, at: ago(HOUR_MS), source: 'observed' });
  await project.ingest({ ...staging, timestamp: ago(3 * HOUR_MS) });
  await project.ingest({ ...staging, timestamp: ago(2 * HOUR_MS) });
  expect((await releases(project)).at(-1)?.at).toBe(ago(3 * HOUR_MS));
  await world.reopen();
  await project.ingest({ ...staging, timestamp: ago(4 * HOUR_MS) });
  expect((await releases(project)).at(-1)?.at).toBe(ago(4 * HOUR_MS));
  expect((await releases(project)).length).toBe(2);
});

test('a request for an observed release adds to it, and events do not move what was reported', async () => {
  const project = await openProject(world);
  await project.ingest({ release: '3.0', timestamp: ago(HOUR_MS) });
  const of = { release: '3.0', environment: 'production' };
  const added = await project.call<ReportedDeployment>('POST', '', { ...of, commit: 'abc' });
  expect(added.body).toMatchObject({ at: ago(HOUR_MS), created: false, changed: ['commit', 'source'] });
  const at = ago(2 * HOUR_MS);
  await project.call('POST', '', { ...of, at });
  await project.ingest({ release: '3.0', timestamp: ago(5 * HOUR_MS) });
  const [deployment] = (await project.list()).deployments;
  expect(deployment).toMatchObject({ at, firstEventAt: ago(5 * HOUR_MS), source: 'reported' });
  await project.call('POST', '', { release: '3.1', environment: 'production' });
  await project.ingest({ release: '3.1' });
  expect((await project.list('release=3.1')).deployments).toMatchObject([
    { source: 'reported', at: NOW, firstEventAt: NOW },
  ]);
});

test('a batch that is refused makes no deployment, and a repeated one no second', async () => {
  const project = await openProject(world);
  expect((await project.ingest({ release: '4.0', status: 'odd' })).status).toBe(400);
  expect(await releases(project)).toEqual([]);
  const event = { release: '4.0', event_id: crypto.randomUUID(), timestamp: ago(HOUR_MS) };
  await project.ingest(event);
  await project.ingest(event);
  expect((await releases(project)).length).toBe(1);
});

test('concurrent batches of one release make one deployment at the earliest event', async () => {
  const seed = fc.sample(fc.integer(), 1)[0] ?? 0;
  const hours = fc.sample(fc.integer({ min: 0, max: 400 }), { numRuns: 12, seed });
  const project = await openProject(world);
  await Promise.all(hours.map((back) => project.ingest({ release: '5.0', timestamp: ago(back * HOUR_MS) })));
  const [deployment, ...others] = (await project.list()).deployments;
  expect([seed, others]).toEqual([seed, []]);
  expect([seed, deployment?.at]).toEqual([seed, ago(Math.max(...hours) * HOUR_MS)]);
  expect([seed, deployment?.firstEventAt]).toEqual([seed, deployment?.at]);
});

test('a client with a new release in each call fills no table; the list says that some are missing', async () => {
  const project = await openProject(world);
  const fill = (prefix: string, count: number) =>
    project.ingest(...Array.from({ length: count }, (_, i) => ({ release: `${prefix}-${i}` })));
  for (const prefix of ['a', 'b', 'c', 'd']) await fill(prefix, 100);
  const count = async (): Promise<number> => {
    let found = 0;
    for (let query = 'limit=200'; query !== ''; ) {
      const { deployments, nextCursor } = await project.list(query);
      found += deployments.length;
      query = nextCursor === null ? '' : `limit=200&cursor=${encodeURIComponent(nextCursor)}`;
    }
    return found;
  };
  expect(await count()).toBe(MAX_OBSERVED_PER_DAY);
  expect((await project.list()).skipped).toMatchObject({
    release: 'c-0',
    environment: 'production',
    at: NOW,
  });
  // A restart does not start the day anew; a request is no event.
  await world.reopen();
  await fill('e', 5);
  expect(await count()).toBe(MAX_OBSERVED_PER_DAY);
  await project.call('POST', '', { release: 'f', environment: 'production' });
  expect(await count()).toBe(MAX_OBSERVED_PER_DAY + 1);
  world.clock.advance(DAY_MS);
  await fill('g', 5);
  expect(await count()).toBe(MAX_OBSERVED_PER_DAY + 6);
  world.clock.set(TEST_NOW);
});

test('a release that is in use is kept, one that is not expires after 400 days', async () => {
  const project = await openProject(world);
  await project.ingest({ release: 'used' }, { release: 'gone' });
  for (let day = 0; day < 390; day += 65) {
    world.clock.set(TEST_NOW + day * DAY_MS);
    await project.ingest({ release: 'used' });
  }
  world.clock.set(TEST_NOW + 401 * DAY_MS);
  const expiry = modules
    .flatMap(({ jobs = [] }) => jobs)
    .find(({ name }) => name === 'expiry.delete_expired');
  if (expiry === undefined) throw new Error('there is no expiry job');
  await runJob(world.ctx, expiry, 'manual');
  world.clock.set(TEST_NOW);
  const left = await findDeployments(world.ctx, project.id, { limit: 10 });
  expect(left.map(({ release }) => release)).toEqual(['used']);
});
