import { afterAll, expect, test } from 'bun:test';
import type { SimulationDetail } from '../../../src/features/simulations/contract.ts';
import type { SimulationRun, SimulationRunDetail } from '../../../src/features/simulations/runs/contract.ts';
import { openFolder } from '../../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { type MockRequest, startModelProvider } from '../../helpers/model-provider.ts';
import { randomBelow } from '../../helpers/random.ts';
import { initLedger, type RunningServer, runJob, startServer } from '../../helpers/server.ts';
import { startAgent } from './agent-server.ts';

/** The long form is SIMULATION_KILLS=10 SIMULATION_REPETITIONS=100. */
const KILLS = Number(process.env.SIMULATION_KILLS ?? 3);
const REPETITIONS = Number(process.env.SIMULATION_REPETITIONS ?? 8);
const CONCURRENCY = 6;
const TURNS = 4;

const folder = openFolder();
const provider = startModelProvider();
const agent = startAgent();
const below = randomBelow();
afterAll(() => {
  provider.close();
  agent.close();
  folder.remove();
});

const keyOf = (headers: Headers): string => headers.get('idempotency-key') ?? '';
const DB = folder.path('ledger.db');
const MODELS = folder.path('models.json');
const ENV = { MODELS_FILE: MODELS, MOCK_MODEL_KEY: MOCK_KEY, OUTBOUND_ALLOW: '127.0.0.1' };
const PASSWORD = 'correct horse battery staple';

test('a run whose server is killed sends no message twice, and the books say what the provider charged', async () => {
  await Bun.write(MODELS, modelsFile(provider));
  const { projectId } = await initLedger(`file:${DB}`, 'ada@example.com', PASSWORD);
  let server = await startServer(`file:${DB}`, [], undefined, ENV);
  let bearer = '';
  const send = async <T>(method: string, path: string, json?: unknown): Promise<T> => {
    const reply = await fetch(`${server.url}/v1/${path}?projectId=${projectId}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (reply.ok) return (await reply.json()) as T;
    throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  };
  bearer = (
    await send<{ token: string }>('POST', 'auth/login', { email: 'ada@example.com', password: PASSWORD })
  ).token;
  await send('POST', 'prompts', { name: 'clerk', template: 'You help.', labels: ['production'] });

  let asked = 0;
  let killAt = Number.POSITIVE_INFINITY;
  let reached = Promise.withResolvers<void>();
  const count = (): void => {
    if (++asked >= killAt) reached.resolve();
  };
  // The provider charges a key once, and answers a known one with the same. Tokens differ by request.
  const charged = new Map<string, { readonly n: number; readonly request: MockRequest }>();
  provider.answer = (request) => {
    count();
    const key = keyOf(request.headers);
    if (!charged.has(key)) charged.set(key, { n: charged.size, request });
    const n = charged.get(key)?.n ?? 0;
    const usage = { input: 100 + n, output: 10 + (n % 7) };
    if (request.model === 'gpt-4o') return { text: ['{"reason":"good","value":true}'], usage };
    return { text: [`message ${n}`], usage, before: Bun.sleep(below(5)) };
  };
  agent.answer = async () => {
    count();
    await Bun.sleep(below(5));
    return Response.json({ answer: 'Hello' });
  };
  const http = { kind: 'http', url: `${agent.url}/chat`, reply: { text: 'answer' } };
  const model = 'openai/gpt-4o-mini';
  const { id: suite } = await send<SimulationDetail>('POST', 'simulations', {
    suite: {
      name: 'x',
      concurrency: CONCURRENCY,
      repetitions: REPETITIONS,
      maxTurns: TURNS,
      judgeModel: 'openai/gpt-4o',
      scenarios: [
        { name: 'plain', target: http, script: ['a', 'b', 'c', 'd'] },
        { name: 'idempotent', target: { ...http, idempotent: true }, script: ['e', 'f', 'g', 'h'] },
        {
          name: 'models',
          target: { kind: 'prompt', prompt: 'clerk', model },
          persona: 'A student',
          userModel: model,
          criteria: [{ kind: 'judge', criterion: 'It is kind.' }],
        },
      ],
    },
  });
  const { id } = await send<SimulationRun>('POST', `simulations/${suite}/runs`, {});
  const restart = async (): Promise<RunningServer> => {
    await server.end('SIGKILL');
    return startServer(`file:${DB}`, [], undefined, ENV);
  };
  const CALLS = REPETITIONS * (2 * TURNS + 2 * TURNS + 1);
  for (let kill = 1; kill <= KILLS; kill++) {
    reached = Promise.withResolvers();
    // Each within the requests that are left, spread over the run.
    const left = Math.max(4, CALLS - asked);
    killAt = asked + 1 + below(Math.max(1, Math.floor((2 * left) / (KILLS - kill + 2))));
    await Promise.race([reached.promise, Bun.sleep(5_000)]);
    killAt = Number.POSITIVE_INFINITY;
    await Bun.sleep(below(8));
    server = await restart();
    // A restarted server goes on by itself within a minute; this does not wait for that.
    const { status } = await send<SimulationRunDetail>('GET', `simulations/runs/${id}`);
    if (status === 'running') await send('POST', `simulations/runs/${id}/resume`, {});
  }
  let found = await send<SimulationRunDetail>('GET', `simulations/runs/${id}`);
  while (found.status === 'running') {
    await Bun.sleep(50);
    found = await send<SimulationRunDetail>('GET', `simulations/runs/${id}`);
  }
  expect([found.status, found.error]).toEqual(['completed', null]);
  await runJob(`file:${DB}`, 'models.recover');

  // To a target that knows no keys nothing is sent twice: what a kill cut is lost. An idempotent one gets the same key.
  const [plain, idempotent, models] = found.scenarios;
  const keys = agent.requests.map(({ headers, body }) => [keyOf(headers), String(body.message)] as const);
  const ofPlain = keys.filter(([, message]) => 'abcd'.includes(message));
  expect(new Set(ofPlain.map(([key]) => key)).size).toBe(ofPlain.length);
  expect((plain?.passed ?? 0) + (plain?.lost ?? 0)).toBe(REPETITIONS);
  expect(plain?.lost).toBeLessThanOrEqual(KILLS * CONCURRENCY);
  expect(idempotent).toMatchObject({ passed: REPETITIONS, lost: 0, failed: 0 });
  expect(new Set(keys.filter(([, message]) => 'efgh'.includes(message)).map(([key]) => key)).size).toBe(
    REPETITIONS * TURNS,
  );
  expect(models).toMatchObject({ passed: REPETITIONS, lost: 0, failed: 0 });

  // Each call of a model was charged once, and the run, the ledger and the provider agree.
  expect(charged.size).toBe(REPETITIONS * (2 * TURNS + 1));
  const nano = [...charged.values()].reduce((sum, { n, request }) => {
    const [input, output] = request.model === 'gpt-4o' ? [2_500, 10_000] : [150, 600];
    return sum + (100 + n) * input + (10 + (n % 7)) * output;
  }, 0);
  expect(Math.round(found.costUsd * 1e9)).toBe(nano);
  const books = await send<{ total: { values: { cost: number; requests: number } } }>(
    'POST',
    'metrics/query',
    {
      measures: ['cost', 'requests'],
      filter: 'environment:spanledger status:success',
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date(Date.now() + 3_600_000).toISOString(),
    },
  );
  expect(books.total.values.requests).toBe(charged.size);
  expect(Math.round(books.total.values.cost * 1e9)).toBe(nano);
  if (process.env.SIMULATION_KILLS !== undefined)
    console.log(
      `${found.planned} conversations, ${KILLS} kills: ${asked} requests, ${plain?.lost} lost, $${nano / 1e9}`,
    );
  await server.end('SIGTERM');
}, 3_600_000);
