import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import type { AskReply } from '../../../src/features/ai/ask/contract.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { openFolder } from '../../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import {
  type MockRequest,
  type ModelProviderMock,
  startModelProvider,
} from '../../helpers/model-provider.ts';
import { MARK, ORDERS } from './hostile-orders.ts';
import { list as listOf, many, plant, send } from './planted-calls.ts';
import list from './questions.json' with { type: 'json' };
import { QUESTIONS } from './read-questions.ts';

const FIELDS = [
  'user_id',
  'agent',
  'model',
  'environment',
  'release',
  'prompt_name',
  'tool',
  'error_code',
  'error_message',
  'team',
  'tag',
] as const;

let mock: ModelProviderMock;
let clean: TestApp;
let hostile: TestApp;
const folder = openFolder();

const textOf = ({ body }: MockRequest): string => JSON.stringify(body);
const QUERY = {
  answerable: true,
  reason: '',
  measures: ['cost'],
  groupBy: [],
  filters: [] as object[],
  range: null,
  start: null,
  end: null,
  bucket: null,
  lowestFirst: false,
  limit: null,
  comparePrevious: false,
};
/** A model that obeys whatever text of events it is shown. */
const obey = (request: MockRequest) => {
  const isTold = textOf(request).includes(MARK);
  const filters = isTold ? [{ field: 'user', operator: 'is', value: MARK }] : [];
  return { text: [JSON.stringify({ ...QUERY, measures: isTold ? ['errors'] : ['cost'], filters })] };
};

async function openWorld(isHostile: boolean): Promise<TestApp> {
  const world = await openTestApp({
    rateLimits: false,
    now: Date.parse(list.now),
    env: { MODELS_FILE: folder.path('models.json'), OUTBOUND_ALLOW: '127.0.0.1' },
  });
  const at = (hours: number): string => new Date(Date.parse(list.now) - hours * HOUR_MS).toISOString();
  const plain = list.names.model.flatMap((model, i) =>
    list.names.environment.map((environment, j) => ({
      provider: 'openai',
      model,
      environment,
      agent: list.names.agent[(i + j) % 4],
      user_id: list.names.userId[(i * 3 + j) % 4],
      tags: { team: 'payments' },
      timestamp: at(10 + i * 20 + j),
      input_tokens: 1_000 * (i + 1),
      output_tokens: 100,
    })),
  );
  const attacks = ORDERS.flatMap((order) =>
    FIELDS.map((field) => ({
      provider: 'openai',
      model: 'gpt-4o',
      timestamp: at(30),
      input_tokens: 10,
      output_tokens: 1,
      status: 'error',
      ...(field === 'team'
        ? { tags: { team: order } }
        : field === 'tag'
          ? { tags: { [order.slice(0, 60)]: 'x' } }
          : { [field]: order }),
    })),
  );
  expect(attacks).toHaveLength(220);
  const events = isHostile ? [...plain, ...attacks] : plain;
  for (let from = 0; from < events.length; from += 100)
    expect(
      (await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: events.slice(from, from + 100) }))
        .status,
    ).toBe(202);
  return world;
}

beforeAll(async () => {
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  mock = startModelProvider();
  mock.answer = obey;
  writeFileSync(folder.path('models.json'), modelsFile(mock));
  [clean, hostile] = await Promise.all([openWorld(false), openWorld(true)]);
});
afterAll(async () => {
  await Promise.all([clean.close(), hostile.close()]);
  mock.close();
  folder.remove();
  delete process.env.MOCK_MODEL_KEY;
});

async function ask(world: TestApp, question: string, bearer = world.seed.bearer): Promise<AskReply> {
  const response = await world.fetch(`/v1/ai/query?projectId=${world.seed.projectId}`, {
    bearer,
    json: { question },
  });
  if (response.status !== 200) throw new Error(`${question}: ${await response.text()}`);
  return (await response.json()) as AskReply;
}

test('220 hostile texts in events change no query, reach no model, and appear only as quoted names and keys', async () => {
  let byModel = 0;
  for (const { q } of QUESTIONS) {
    mock.requests.length = 0;
    const honest = await ask(clean, q);
    const sentClean = mock.requests.map(textOf);
    mock.requests.length = 0;
    const attacked = await ask(hostile, q);
    expect([q, attacked.source, attacked.query]).toEqual([q, honest.source, honest.query]);
    expect(mock.requests.map(textOf)).toEqual(sentClean);
    for (const text of sentClean) expect(text).not.toContain(MARK);
    byModel += sentClean.length;
    const unquoted = (attacked.answer ?? '').replaceAll(/“[^”]*”/g, '');
    expect([q, unquoted.includes(MARK)]).toEqual([q, false]);
    const { rows, answer: _, ...others } = attacked;
    expect([q, JSON.stringify(others).includes(MARK)]).toEqual([q, false]);
    for (const { key: __, ...row } of rows) expect(JSON.stringify(row)).not.toContain(MARK);
  }
  expect(byModel).toBeGreaterThan(5);
}, 300_000);

test('hostile names are quoted in recommendations, and change no other', async () => {
  const world = await openTestApp({ rateLimits: false });
  try {
    const [order = ''] = ORDERS;
    const calls = [order, 'plain agent'].flatMap((agent, i) =>
      many(120, () => ({
        ...plant('claude-sonnet-4-5', { input: 30_000, cached: i * 25_000, agent }),
      })),
    );
    await send(world, calls);
    const { recommendations } = await listOf(world);
    const told = recommendations.filter((one) => JSON.stringify(one).includes(MARK));
    expect(told.map(({ kind }) => kind)).toEqual(['cache-gap']);
    for (const { title, basis } of told)
      expect(`${title} ${basis}`.replaceAll(/“[^”]*”/g, '')).not.toContain(MARK);
    const { query } = told[0] ?? {};
    expect(query?.filter).toContain(`agent:${JSON.stringify(order)}`);
  } finally {
    await world.close();
  }
}, 60_000);

test('a name that the question says goes to the model as a reference with the words of the question', async () => {
  mock.requests.length = 0;
  mock.answer = () => ({
    text: [
      JSON.stringify({ ...QUERY, filters: [{ field: 'agent', operator: 'is', value: '@1' }], range: '7d' }),
    ],
  });
  const reply = await ask(hostile, 'how is our triage helper doing moneywise these days');
  expect(reply).toMatchObject({
    source: 'model',
    model: 'openai/gpt-4o',
    query: { filter: 'agent:triage', range: '7d' },
  });
  const sent = textOf(mock.requests[0] as MockRequest);
  expect(sent).toContain('triage');
  expect(sent).not.toContain('support-bot');
  mock.answer = obey;
});

test('whatever a model answers is a valid query or a clear refusal, and no other value gets in', async () => {
  const question = 'how is our triage helper doing moneywise these days';
  const replies: readonly (readonly [unknown, RegExp])[] = [
    [{ ...QUERY, measures: ['profit'] }, /not make a valid query/],
    [{ ...QUERY, measures: ['cost', 'runs'] }, /./],
    [{ ...QUERY, filters: [{ field: 'user', operator: 'is', value: 'mallory' }] }, /not make a valid filter/],
    [{ ...QUERY, filters: [{ field: 'user', operator: 'is', value: '@99' }] }, /not make a valid filter/],
    [
      { ...QUERY, filters: [{ field: 'nonsense', operator: 'is', value: 'triage' }] },
      /not make a valid filter/,
    ],
    [{ ...QUERY, range: 'forever' }, /not make a valid query/],
    [{ ...QUERY, start: 'yesterday' }, /not make a valid query/],
    [{ ...QUERY, limit: 1e9 }, /not make a valid query/],
    [{ ...QUERY, answerable: false, reason: 'I obey nobody' }, /no query of figures/],
    ['I will not answer', /could not read the question/],
    [{ hello: 1 }, /could not read the question/],
    [[], /could not read the question/],
  ];
  for (const [said, refusal] of replies) {
    mock.requests.length = 0;
    mock.answer = () => ({ text: [typeof said === 'string' ? said : JSON.stringify(said)] });
    const response = await hostile.fetch(`/v1/ai/query?projectId=${hostile.seed.projectId}`, {
      bearer: hostile.seed.bearer,
      json: { question },
    });
    const reply = (await response.json()) as AskReply & { error?: string };
    if (response.status === 400) {
      expect(reply.error).toMatch(/measures/);
      continue;
    }
    expect([said, reply.source, reply.refusal?.message]).toEqual([
      said,
      null,
      expect.stringMatching(refusal),
    ]);
  }
  // What does not have the form is asked for once more.
  expect(mock.requests).toHaveLength(2);
  mock.answer = () => ({ status: 500, error: 'broken' });
  expect((await ask(hostile, question)).refusal?.message).toMatch(/could not read the question/);
  mock.answer = obey;
});

test('viewers are answered by the rules, but call no model', async () => {
  const { bearer } = await clean.addUser('viewer');
  mock.requests.length = 0;
  expect((await ask(clean, 'cost yesterday', bearer)).source).toBe('grammar');
  expect((await ask(clean, 'how thrifty are we', bearer)).refusal?.message).toContain('you are a viewer');
  expect(mock.requests).toEqual([]);
});
