import { afterAll, beforeAll, expect, test } from 'bun:test';
import { searchReplySchema } from '../../../src/features/search/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const EVENT = '01976f2a-1111-7000-8000-0000000000aa';
let app: TestApp;
let other: Tenant;
const CALL = {
  provider: 'openai',
  model: 'gpt-4o-mini',
  input_tokens: 10,
  timestamp: new Date(TEST_NOW).toISOString(),
};

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const events = [
    {
      ...CALL,
      event_id: EVENT,
      trace_id: TRACE,
      user_id: 'maya',
      session_id: 'chat-2026-11',
      name: 'answer',
    },
    {
      ...CALL,
      model: 'ministral-8b',
      provider: 'mistral',
      user_id: 'mayumi',
      prompt_name: 'Support greeting',
    },
    // Long ago: found only whole.
    { ...CALL, session_id: 'chat-2020-01', timestamp: new Date(TEST_NOW - 9 * 86_400_000).toISOString() },
  ];
  const reply = await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events });
  expect(reply.status).toBe(202);
});
afterAll(() => app.close());

async function find(q: string, tenant: Tenant = app.seed): Promise<string[]> {
  const reply = await app.fetch(`/v1/search?projectId=${tenant.projectId}&q=${encodeURIComponent(q)}`, {
    bearer: tenant.bearer,
  });
  const { results, incomplete } = searchReplySchema.parse(await reply.json());
  expect(incomplete).toEqual([]);
  return results.map(({ kind, id }) => `${kind} ${id}`);
}

test.each([
  [EVENT, [`event ${EVENT}`]],
  [EVENT.toUpperCase(), [`event ${EVENT}`]],
  [TRACE, [`trace ${TRACE}`]],
  ['chat-2020-01', ['session chat-2020-01']],
  ['chat-', ['session chat-2026-11']],
  ['may', ['user mayumi', 'user maya']],
  ['mini', ['model gpt-4o-mini', 'model ministral-8b']],
  ['GREET', ['prompt Support greeting']],
  // Ids that have the form but name nothing, and texts that mean something in a filter.
  ['4bf92f3577b34da6a3ce929d0e0e4737', []],
  ['01976f2a-1111-7000-8000-0000000000ab', []],
  ['"-status:failed *', []],
])('%s', async (q, expected) => {
  expect((await find(q)).toSorted()).toEqual(expected.toSorted());
});

test('a key is found by its prefix, its name, and by pasting it, and is never shown', async () => {
  const whole = await find(app.seed.apiKey);
  expect(whole).toEqual([expect.stringMatching(/^key /)]);
  expect(await find(app.seed.apiKey.slice(0, 12))).toEqual(whole);
});

test('another organization finds none of it', async () => {
  for (const q of [EVENT, TRACE, 'chat-2020-01', 'may', 'mini', 'greeting', app.seed.apiKey])
    expect(await find(q, other)).toEqual([]);
});

test.each(['', 'a', 'x'.repeat(201)])('a text of the wrong length is 400', async (q) => {
  const reply = await app.fetch(`/v1/search?projectId=${app.seed.projectId}&q=${q}`, {
    bearer: app.seed.bearer,
  });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toEqual({ error: expect.stringContaining('q') });
});
