import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { AlertPreview } from '../../../src/features/alerts/preview/contract.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { act } from '../../helpers/audit.ts';
import { ask, calls, ERRORS } from './support.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
  // Two hours ago everything was fine, an hour ago one model failed.
  await calls(world, 10, {}, TEST_NOW - 120 * MINUTE_MS);
  await calls(world, 10, { model: 'bad', status: 'error' }, TEST_NOW - 60 * MINUTE_MS);
  await calls(world, 10, { model: 'bad' }, TEST_NOW - 30 * MINUTE_MS);
});
afterAll(() => world.close());

const preview = (change: object = {}, days = 1) =>
  ask<AlertPreview>(world, 'POST', `alerts/preview?days=${days}`, { ...ERRORS, ...change });

test('a preview shows the values and when the rule would have fired, and saves nothing', async () => {
  const { status, body } = await preview({ groupBy: 'model' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ firings: 1, notifications: 2, groups: 2, omittedSpans: 0 });
  expect(body.spans).toEqual([
    {
      group: 'bad',
      state: 'critical',
      from: new Date(TEST_NOW - 59 * MINUTE_MS).toISOString(),
      to: new Date(TEST_NOW - 29 * MINUTE_MS).toISOString(),
      value: 1,
      unpriced: null,
      calls: null,
    },
  ]);
  const [line] = body.series;
  expect(line?.group).toBe('bad');
  expect(Math.max(...(line?.points ?? []).map((value) => value ?? 0))).toBe(1);
  expect((await ask<{ alerts: unknown[] }>(world, 'GET', 'alerts')).body.alerts).toEqual([]);
});

test('a preview says where its events begin', async () => {
  const { body } = await preview({}, 30);
  expect(body.note).toContain('The project has events since 2026-06-15');
  expect(body.from).toBe('2026-06-15T00:00:00.000Z');
});

test('a preview begins after the calls that retention has deleted, and says so', async () => {
  const other = await openTestApp();
  const { projectId, bearer } = other.seed;
  await calls(other, 10, { status: 'error' }, TEST_NOW - 10 * DAY_MS);
  await calls(other, 10, { status: 'error' }, TEST_NOW - 3 * DAY_MS);
  const spansOf = async (): Promise<unknown> => {
    const { body } = await ask<AlertPreview>(other, 'POST', 'alerts/preview?days=30', ERRORS);
    return [body.from, body.firings, body.note?.slice(0, 70)];
  };
  const since = 'The project has events since 2026-06-05; the preview begins there';
  expect(await spansOf()).toEqual(['2026-06-05T00:00:00.000Z', 2, since]);
  await other.fetch(`/v1/projects/${projectId}`, { method: 'PUT', bearer, json: { retentionDays: 7 } });
  await act(other, 'jobs.run', { name: 'retention.delete_expired' });
  const deleted = 'Calls before 2026-06-08 12:00 UTC have been deleted (retention); the pr';
  expect(await spansOf()).toEqual(['2026-06-08T12:05:00.000Z', 1, deleted.slice(0, 70)]);
  await other.close();
});

test('a preview of every kind of rule answers, and a rule that cannot work is refused', async () => {
  const conditions = [
    { kind: 'change', direction: 'up', percent: 50, compare: 'sameTimeLastWeek' },
    { kind: 'change', direction: 'either', percent: 50, compare: 'previous' },
    { kind: 'anomaly', sensitivity: 'high' },
  ];
  for (const condition of conditions)
    for (const measure of ['cost', 'latencyP95', 'ttftP95', 'cacheRate', 'unpriced'])
      for (const window of ['5m', '7d']) {
        const { status, body } = await preview({ condition, measure, window, groupBy: 'tag:team' });
        expect([status, body.series.length], JSON.stringify([measure, window])).toEqual([200, 1]);
      }
  expect((await preview({ window: '3m' })).status).toBe(400);
});
