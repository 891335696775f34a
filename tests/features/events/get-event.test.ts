import { afterAll, beforeAll, expect, test } from 'bun:test';
import { storedEventSchema } from '../../../src/core/events/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const ID = '0199a1b2-0000-4000-8000-00000000abcd';
const AT = new Date(TEST_NOW - 60_000).toISOString();

let app: TestApp;
let other: Tenant;
beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 10, output_tokens: 2 };
  const events = [{ ...call, event_id: ID, timestamp: AT, metadata: { step: 4 } }];
  await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events });
});
afterAll(() => app.close());

const get = (path: string, { projectId, bearer }: Tenant = app.seed): Promise<Response> =>
  app.fetch(`/v1/events/${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`, { bearer });

test('one event is found by its id, with its time or without', async () => {
  for (const path of [ID, ID.toUpperCase(), `${ID}?timestamp=${AT}`]) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const event = storedEventSchema.parse(await response.json());
    expect(event).toMatchObject({ event_id: ID, timestamp: AT, metadata: { step: 4 } });
  }
});

test('what is not in the project is 404, what is no id 400', async () => {
  const missing = await get('0199a1b2-0000-4000-8000-00000000ffff');
  expect([missing.status, (await get(ID, other)).status]).toEqual([404, 404]);
  expect(await missing.json()).toEqual({
    error: 'There is no event 0199a1b2-0000-4000-8000-00000000ffff in this project',
  });
  expect((await get('something')).status).toBe(400);
  expect((await get(`${ID}?timestamp=yesterday`)).status).toBe(400);
});
