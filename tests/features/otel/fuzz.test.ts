import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { fuzz } from './fuzz.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('damaged bodies are accepted or refused with a reason, by the route and by the inspector', async () => {
  const { statuses } = await fuzz(app, 1_000, 20_260_615);
  expect(Object.keys(statuses)).toEqual(['200', '202', '400']);
}, 60_000);
