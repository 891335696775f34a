import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { runJob } from '../../../src/core/jobs/index.ts';
import type { CallEnd, ModelsReply } from '../../../src/core/models/contract.ts';
import { recoverCalls } from '../../../src/core/models/recover-calls.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openFolder } from '../../helpers/folder.ts';
import { endOf, HELLO, MOCK_KEY, modelsFile, partsOf, run } from '../../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../../helpers/model-provider.ts';
import { everyRole } from '../../helpers/people.ts';
import { queryFile } from '../../helpers/stored-events.ts';
import { runSql } from '../audit/rows.ts';

let mock: ModelProviderMock;
let world: TestApp;
const folder = openFolder();
const env = (more: Record<string, string> = {}) => ({
  MODELS_FILE: folder.path('models.json'),
  OUTBOUND_ALLOW: '127.0.0.1',
  SESSION_TTL_SECONDS: '31536000',
  ...more,
});
beforeAll(async () => {
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  mock = startModelProvider();
  writeFileSync(folder.path('models.json'), modelsFile(mock));
  world = await openTestApp({ rateLimits: false, env: { SESSION_TTL_SECONDS: '31536000' } });
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
const models = async (projectId = world.seed.projectId, bearer = world.seed.bearer): Promise<ModelsReply> =>
  (await (await world.fetch(`/v1/models?projectId=${projectId}`, { bearer })).json()) as ModelsReply;
const refusal = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { error: string }).error,
];
const count = (sql: string): number =>
  Number(queryFile(world.ctx.db.path, `SELECT count(*) FROM ${sql}`)[0]?.[0]);
const eventOf = async (id: string): Promise<Record<string, unknown>> => {
  const { projectId, bearer } = world.seed;
  return (await (await world.fetch(`/v1/events/${id}?projectId=${projectId}`, { bearer })).json()) as Record<
    string,
    unknown
  >;
};

describe('who may call a model', () => {
  test('without a configured model nothing else changes, and a run says what is missing', async () => {
    expect((await models()).models).toEqual([]);
    const [status, error] = await refusal(await run(world));
    expect([status, error]).toEqual([
      503,
      expect.stringMatching(/^No model is configured. The operator sets OPENAI_API_KEY/),
    ]);
  });

  test('members may, viewers and foreigners may not, and only what the operator allows', async () => {
    await world.reopen(env());
    const { member, viewer } = await everyRole(world);
    const other = await world.addTenant();
    expect((await run(world, HELLO, { bearer: viewer.bearer })).status).toBe(403);
    expect((await run(world, HELLO, { bearer: other.bearer })).status).toBe(403);
    expect(await refusal(await run(world, { ...HELLO, model: 'openai/gpt-4' }))).toEqual([
      400,
      'model: "openai/gpt-4" is not configured. Did you mean openai/gpt-4o?',
    ]);
    expect(mock.requests).toEqual([]);
    expect(endOf(await partsOf(await run(world, HELLO, { bearer: member.bearer }))).status).toBe('success');
    const listed = await models(world.seed.projectId, viewer.bearer);
    expect(listed.models[0]).toEqual({
      id: 'openai/gpt-4o',
      name: 'openai',
      provider: 'openai',
      model: 'gpt-4o',
      priced: true,
      inputUsdPerMillion: 2.5,
      outputUsdPerMillion: 10,
    });
    expect(listed.month).toMatchObject({ capUsd: null, spentUsd: 0.00275, reservedUsd: 0 });
    expect((await models(other.projectId, other.bearer)).month.spentUsd).toBe(0);
  });

  test('a loopback address needs OUTBOUND_ALLOW', async () => {
    await world.reopen({ ...env(), OUTBOUND_ALLOW: '' });
    const end = endOf(await partsOf(await run(world)));
    expect(end).toMatchObject({ status: 'error', errorCode: 'connection_refused', costUsd: 0 });
    expect(end.error).toMatch(/OUTBOUND_ALLOW/);
    expect(mock.requests).toEqual([]);
  });

  test('messages that cannot follow each other, huge ones and nonsense are refused before anything is sent', async () => {
    await world.reopen(env());
    const said = (messages: unknown) => ({ model: 'openai/gpt-4o', messages });
    const cases: [Record<string, unknown>, number][] = [
      [said([]), 400],
      [said([{ role: 'tool', content: 'x' }]), 400],
      [said([{ role: 'tool', content: 'x', toolCallId: 'none' }]), 400],
      [said([{ role: 'user', content: 'x', toolCallId: 'a' }]), 400],
      [said([{ role: 'user', content: 'x'.repeat(1_000_001) }]), 400],
      [said(Array.from({ length: 3 }, () => ({ role: 'user', content: 'x'.repeat(900_000) }))), 400],
      [said([{ role: 'user', content: 'x'.repeat(5_000_000) }]), 413],
      [{ ...HELLO, config: { temperature: 3 } }, 400],
      [{ ...HELLO, config: { maxOutputTokens: 1e9 } }, 400],
      [{ ...HELLO, config: { unknown: 1 } }, 400],
      [{ ...HELLO, model: 'gpt-4o' }, 400],
    ];
    for (const [body, status] of cases) expect((await refusal(await run(world, body)))[0]).toBe(status);
    expect(mock.requests).toEqual([]);
    expect(count('model_calls')).toBe(0);
  });
});

test('a prompt of the library is filled and sent, and its event has name and version', async () => {
  const { bearer, projectId } = world.seed;
  const tools = [{ type: 'function', function: { name: 'sort', parameters: { type: 'object' } } }];
  const config = { model: 'gpt-4o', temperature: 0.25, maxTokens: 33, tools, own: 1 };
  const prompt = { name: 'support/triage', template: 'Sort {{ticket}}', labels: ['production'], config };
  expect((await world.fetch(`/v1/prompts?projectId=${projectId}`, { bearer, json: prompt })).status).toBe(
    201,
  );
  const asked = { model: 'openai/gpt-4o', prompt: { name: 'support/triage' } };
  expect(await refusal(await run(world, asked))).toEqual([
    400,
    expect.stringMatching(/^The variable ticket has no value/),
  ]);
  expect((await run(world, { ...asked, prompt: { name: 'none' } })).status).toBe(404);
  expect((await run(world, { model: 'openai/gpt-4o' })).status).toBe(400);
  const end = endOf(
    await partsOf(await run(world, { ...asked, variables: { ticket: 'a {{late}} parcel' } })),
  );
  expect(mock.requests.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'Sort a {{late}} parcel' }]);
  // The version's settings apply, also in the forms of a provider; what is stated goes before.
  expect(mock.requests.at(-1)?.body).toMatchObject({ temperature: 0.25, tools });
  expect(Object.values(mock.requests.at(-1)?.body ?? {})).toContain(33);
  expect(await eventOf(end.eventId)).toMatchObject({ prompt_name: 'support/triage', prompt_version: '1' });
  // Without variables, stated text is no template.
  await partsOf(await run(world, { ...HELLO, messages: [{ role: 'user', content: 'Say {{this}}' }] }));
  expect(mock.requests.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'Say {{this}}' }]);
});

describe('a call that is stopped', () => {
  test('by who asked is cancelled at the provider, and recorded with the usage that is known', async () => {
    mock.answer = () => ({ between: never });
    const response = await run(world, { ...HELLO, model: 'anthropic/claude-sonnet-4-5' });
    const reader = response.body?.getReader();
    let id = '';
    for (let text = ''; !text.includes('Hello '); ) {
      text += new TextDecoder().decode((await reader?.read())?.value);
      id = /"eventId":"([^"]+)"/.exec(text)?.[1] ?? '';
    }
    await reader?.cancel();
    await eventually('the end of the call', () => count('model_calls') === 0);
    await eventually('its event', async () => 'status' in (await eventOf(id)));
    expect(await eventOf(id)).toMatchObject({
      status: 'cancelled',
      error_code: 'cancelled',
      input_tokens: 1_000,
      output_tokens: 1,
      cost_status: 'estimated',
    });
  });

  test('by the end of the server is recorded, too', async () => {
    mock.answer = () => ({ between: never });
    const response = await run(world);
    await world.reopen(env());
    const end = endOf(await partsOf(response));
    expect(end).toMatchObject({ status: 'cancelled', errorCode: 'server_stopped', costUsd: null });
    expect(await eventOf(end.eventId)).toMatchObject({
      cost_status: 'unpriced',
      error_code: 'server_stopped',
    });
  });

  test('by kill -9 is recorded as an unknown outcome, and what was reserved counts as spent', async () => {
    mock.answer = () => ({ before: never });
    const before = (await models()).month.spentUsd;
    const response = await run(world);
    const [row] = queryFile(world.ctx.db.path, 'SELECT id, reserved_nano FROM model_calls');
    const [id = '', reserved = 0] = (row ?? []) as [string?, number?];
    // As a process that died leaves it: its name is of no living one.
    await runSql(world.ctx, `UPDATE model_calls SET process = 'dead'`);
    expect((await runJob(world.ctx, recoverCalls, 'manual')).result).toEqual({ recovered: 1 });
    expect(await eventOf(id)).toMatchObject({
      status: 'cancelled',
      error_code: 'outcome_unknown',
      cost_status: 'unpriced',
      model: 'gpt-4o',
      agent: 'playground',
    });
    expect((await models()).month.spentUsd).toBeCloseTo(before + reserved / 1e9, 9);
    // Only once, whatever comes after.
    await response.body?.cancel();
    expect((await runJob(world.ctx, recoverCalls, 'manual')).result).toEqual({});
    expect(count('model_calls')).toBe(0);
    expect((await models()).month.spentUsd).toBeCloseTo(before + reserved / 1e9, 9);
  });
});

describe('the monthly cap', () => {
  const small = { ...HELLO, config: { maxOutputTokens: 10 } };

  test('holds exactly, also for parallel calls: what is reserved and spent never exceeds it', async () => {
    const [one] = await partsOf(await run(world, small));
    const max = one?.type === 'started' ? (one.expected.maxCostUsd ?? 0) : 0;
    const spent = (await models()).month.spentUsd;
    // Room for three calls at once.
    const cap = spent + 3 * max + max / 2;
    await world.reopen(env({ AI_MONTHLY_USD: cap.toFixed(9) }));
    mock.requests.length = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    mock.answer = () => ({ before: gate, usage: { input: 10, output: 1 } });
    let refusals = 0;
    const asked = Array.from({ length: 12 }, async () => {
      const reply = await run(world, small);
      if (reply.status === 429) refusals++;
      return reply;
    });
    const answers = Promise.all(asked);
    // A call that comes after one has ended may find room again.
    await eventually('three calls, nine refusals', () => mock.requests.length === 3 && refusals === 9);
    open();
    const replies = await answers;
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(9);
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await refusal(refused[0] as Response))[1]).toMatch(
      /^This call can cost \$0\.00\d+, but of the monthly cap of \$/,
    );
    for (const reply of replies) if (reply.status === 200) await partsOf(reply);
    // The real cost took the place of what was reserved, so there is room again.
    expect((await models()).month).toMatchObject({ reservedUsd: 0 });
    expect((await run(world, small)).status).toBe(200);
    expect((await models()).month.spentUsd).toBeLessThanOrEqual(cap);
  });

  test('is of one organization, refuses models without a price, and starts anew at midnight UTC of the first', async () => {
    await world.reopen(env({ AI_MONTHLY_USD: '0.001' }));
    expect((await run(world)).status).toBe(429);
    const other = await world.addTenant('Initech');
    const foreign = (model: string) =>
      world.fetch(`/v1/prompts/run?projectId=${other.projectId}`, {
        bearer: other.bearer,
        json: { ...small, model },
      });
    expect((await refusal(await foreign('local/llama-own')))[1]).toMatch(
      /^The price of this model is not known/,
    );
    expect((await run(world, { ...small, model: 'openai/gpt-4o-mini' })).status).toBe(429);
    expect((await foreign('openai/gpt-4o-mini')).status).toBe(200);
    world.clock.set(Date.UTC(2026, 6, 1) - 1);
    expect((await run(world, { ...small, model: 'openai/gpt-4o-mini' })).status).toBe(429);
    world.clock.set(Date.UTC(2026, 6, 1));
    const end: CallEnd = endOf(await partsOf(await run(world, { ...small, model: 'openai/gpt-4o-mini' })));
    expect((await models()).month).toMatchObject({
      spentUsd: end.costUsd,
      endsAt: '2026-08-01T00:00:00.000Z',
    });
    world.clock.set(TEST_NOW);
  });

  test('the books and the month agree to the nano-dollar', async () => {
    await world.reopen(env());
    const { bearer, projectId, organizationId } = world.seed;
    const query = `projectId=${projectId}&environment=spanledger&start=2026-06-01T00:00:00.000Z&end=2026-07-30T00:00:00.000Z`;
    const { byModel } = (await (await world.fetch(`/v1/costs?${query}`, { bearer })).json()) as {
      byModel: { total_cost: number }[];
    };
    const [row] = queryFile(
      world.ctx.db.path,
      `SELECT sum(spent_nano - assumed_nano) FROM model_months WHERE organization_id = '${organizationId}'`,
    );
    const inBooks = byModel.reduce((sum, { total_cost }) => sum + Math.round(total_cost * 1e9), 0);
    expect(inBooks).toBe(Number(row?.[0]));
    expect(inBooks).toBeGreaterThan(0);
  });
});
