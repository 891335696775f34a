import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { askModel, expectCost, forgetAnswers, type Question } from '../../../src/core/models/index.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import { operatorScope, type ProjectScope } from '../../../src/core/tenancy/index.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openFolder } from '../../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../../helpers/model-provider.ts';
import { queryFile } from '../../helpers/stored-events.ts';
import { runSql } from '../audit/rows.ts';

let mock: ModelProviderMock;
let world: TestApp;
const folder = openFolder();
const env = (more: Record<string, string> = {}) => ({
  MODELS_FILE: folder.path('models.json'),
  OUTBOUND_ALLOW: '127.0.0.1',
  ...more,
});
beforeAll(async () => {
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  mock = startModelProvider();
  writeFileSync(folder.path('models.json'), modelsFile(mock));
  world = await openTestApp({ rateLimits: false, env: env() });
  scope = await scopeOf(world.seed.projectId);
});
afterAll(async () => {
  await world.close();
  mock.close();
  folder.remove();
  delete process.env.MOCK_MODEL_KEY;
});
afterEach(() => {
  mock.answer = () => ({});
  mock.requests.length = 0;
});

const { promise: never } = Promise.withResolvers<void>();
const schema = {
  type: 'object',
  properties: { score: { type: 'number', minimum: 0, maximum: 1 } },
  required: ['score'],
  additionalProperties: false,
};
const scopeOf = async (projectId: string) => operatorScope(await findProject(world.ctx, projectId));
let scope: ProjectScope;
const question = (more: Partial<Question> = {}): Question => ({
  scope,
  actor: { kind: 'system', name: 'evaluators' },
  agent: 'evaluator',
  action: 'evaluator.ran',
  model: 'openai/gpt-4o',
  messages: [{ role: 'user', content: 'Judge this' }],
  config: { responseFormat: { type: 'json', schema } },
  prompt: null,
  key: null,
  ...more,
});
const count = (sql: string): number =>
  Number(queryFile(world.ctx.db.path, `SELECT count(*) FROM ${sql}`)[0]?.[0]);
const spent = (): number =>
  Number(queryFile(world.ctx.db.path, 'SELECT coalesce(sum(spent_nano), 0) FROM model_months')[0]?.[0]);
const eventOf = async (id = ''): Promise<Record<string, unknown>> => {
  const { projectId, bearer } = world.seed;
  return (await (await world.fetch(`/v1/events/${id}?projectId=${projectId}`, { bearer })).json()) as Record<
    string,
    unknown
  >;
};

describe('a question of a job', () => {
  test('is answered with checked JSON, and is an event of the project under its feature and tags', async () => {
    mock.answer = () => ({ text: ['```json\n{"score": 0.5}\n```'] });
    const answered = await askModel(world.ctx, question({ tags: { experiment: 'e1' } }));
    expect(answered).toMatchObject({
      status: 'success',
      error: null,
      value: { score: 0.5 },
      costUsd: 0.00275,
    });
    expect(await eventOf(answered.calls[0]?.eventId)).toMatchObject({
      agent: 'evaluator',
      environment: 'spanledger',
      tags: { experiment: 'e1' },
      cost_usd: 0.00275,
    });
    expect(count("audit_log WHERE action = 'evaluator.ran'")).toBe(0);
  });

  test('has a wrong form repaired once, and both calls count', async () => {
    mock.answer = ({ body }) => ({
      text: [(body.messages as unknown[]).length === 1 ? '{"score": 7}' : '{"score": 1}'],
    });
    const answered = await askModel(world.ctx, question());
    expect(answered).toMatchObject({ status: 'success', value: { score: 1 }, costUsd: 0.0055 });
    expect(answered.calls.map(({ outputProblem }) => outputProblem)).toEqual([
      '/score: 7 is greater than 1',
      null,
    ]);
    expect(JSON.stringify(mock.requests[1]?.body)).toContain('7 is greater than 1');
  });

  test('that is never answered in its form ends as invalid, and one that fails as what it failed with', async () => {
    mock.answer = () => ({ text: ['I would say 7'] });
    expect(await askModel(world.ctx, question())).toMatchObject({
      status: 'invalid',
      error: 'The model did not answer in the form that was asked for: it is not JSON',
      value: undefined,
      calls: { length: 2 },
    });
    mock.answer = () => ({ status: 401, error: 'no' });
    expect(await askModel(world.ctx, question())).toMatchObject({ status: 'error', calls: { length: 1 } });
    const config = { responseFormat: { type: 'json' as const, schema: { pattern: '(' } } };
    expect(askModel(world.ctx, question({ config }))).rejects.toThrow(/pattern/);
  });

  test('has an expected cost, which is read before it is asked', async () => {
    world.clock.advance(1_000);
    const expected = await expectCost(world.ctx, scope, question());
    expect(expected.basis).toBe('history');
    expect(expected.maxCostUsd).toBeGreaterThan(expected.costUsd ?? 0);
  });

  test('ends with its signal', async () => {
    mock.answer = () => ({ before: never });
    const stop = new AbortController();
    const asked = askModel(world.ctx, question(), { signal: stop.signal });
    await eventually('the request', () => mock.requests.length === 1);
    stop.abort();
    expect(await asked).toMatchObject({ status: 'cancelled' });
  });

  test('waits for a place, of which people have their own', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    mock.answer = () => ({ before: gate, text: ['{"score":1}'] });
    const asked = Promise.all(Array.from({ length: 20 }, () => askModel(world.ctx, question())));
    await eventually('the first', () => mock.requests.length === 8);
    open();
    expect((await asked).every(({ status }) => status === 'success')).toBe(true);
  });
});

describe('a question with a key', () => {
  test('is paid once: asked again, at the same time or later, it gets the same answer', async () => {
    mock.answer = () => ({ text: ['{"score": 0.25}'] });
    const ask = () => askModel(world.ctx, question({ key: 'run1/item1' }));
    const [one, two] = await Promise.all([ask(), ask()]);
    const before = spent();
    const three = await ask();
    expect(mock.requests).toHaveLength(1);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    expect(spent()).toBe(before);
    await world.reopen(env());
    expect(await ask()).toEqual(one);
    // Another project has keys of its own.
    const other = await world.addTenant();
    await askModel(world.ctx, question({ key: 'run1/item1', scope: await scopeOf(other.projectId) }));
    expect(mock.requests).toHaveLength(2);
  });

  test('is repaired once, also if a crash came between', async () => {
    mock.answer = () => ({ text: ['{"score": 7}'] });
    const ask = () => askModel(world.ctx, question({ key: 'run1/item2' }));
    expect((await ask()).status).toBe('invalid');
    expect((await ask()).status).toBe('invalid');
    expect(mock.requests).toHaveLength(2);
  });

  test('is asked again if it failed', async () => {
    mock.answer = () => ({ status: 401, error: 'no' });
    const ask = () => askModel(world.ctx, question({ key: 'run1/item3' }));
    const failed = await ask();
    mock.answer = () => ({ text: ['{"score": 0}'] });
    const answered = await ask();
    expect([failed.status, answered.status]).toEqual(['error', 'success']);
    expect(answered.calls[0]?.eventId).not.toBe(failed.calls[0]?.eventId);
  });

  test('that ran when the process died is asked again, and each attempt is one event', async () => {
    const ask = () => askModel(world.ctx, question({ key: 'run1/item4' }));
    mock.answer = () => ({ before: never });
    const lost = ask();
    await eventually('the request', () => mock.requests.length === 1);
    const [row] = queryFile(world.ctx.db.path, 'SELECT id FROM model_calls');
    await runSql(world.ctx, `UPDATE model_calls SET process = 'dead'`);
    await world.reopen(env());
    await lost;
    mock.answer = () => ({ text: ['{"score": 1}'] });
    const answered = await ask();
    expect(answered.status).toBe('success');
    expect(answered.calls[0]?.eventId).not.toBe(row?.[0]);
    expect((await eventOf(String(row?.[0]))).status).toBe('cancelled');
  });

  test('keeps its answer until it is forgotten', async () => {
    const kept = () => count(`model_answers WHERE key LIKE 'run1/item2%'`);
    expect(kept()).toBe(2);
    await forgetAnswers(world.ctx, scope, ['run1/item2']);
    expect(kept()).toBe(0);
  });
});
