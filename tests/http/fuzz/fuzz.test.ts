import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { fuzz } from './fuzz.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ rateLimits: false });
});
afterAll(() => app.close());

test('odd requests to all routes are answered, or refused with a reason, from every kind of caller', async () => {
  const { statuses, routes } = await fuzz(app, { cases: 1_500, seed: TEST_SEED });
  expect(routes).toBeGreaterThan(100);
  expect(Object.keys(statuses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '405', '415']),
  );
}, 60_000);
