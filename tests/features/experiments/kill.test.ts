import { afterAll, expect, test } from 'bun:test';
import type { Dataset } from '../../../src/core/datasets/contract.ts';
import type { Experiment, ExperimentDetail } from '../../../src/features/experiments/contract.ts';
import { openFolder } from '../../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { type MockRequest, startModelProvider } from '../../helpers/model-provider.ts';
import { randomBelow } from '../../helpers/random.ts';
import { initLedger, type RunningServer, runJob, startServer } from '../../helpers/server.ts';

/** The long form, with ten kills of 1,000 items, is EXPERIMENT_KILLS=10 EXPERIMENT_ITEMS=1000. */
const KILLS = Number(process.env.EXPERIMENT_KILLS ?? 2);
const ITEMS = Number(process.env.EXPERIMENT_ITEMS ?? 10);
const JUDGES = ['tone', 'truth', 'brevity'];
const CALLS = ITEMS * (1 + JUDGES.length);

const folder = openFolder();
const provider = startModelProvider();
const below = randomBelow();
afterAll(() => {
  provider.close();
  folder.remove();
});

const keyOf = ({ headers }: MockRequest): string => headers.get('idempotency-key') ?? '';
const DB = folder.path('ledger.db');
const MODELS = folder.path('models.json');
const ENV = { MODELS_FILE: MODELS, MOCK_MODEL_KEY: MOCK_KEY, OUTBOUND_ALLOW: '127.0.0.1' };
const PASSWORD = 'correct horse battery staple';

test('an experiment whose server is killed ends with each call paid once, and the books say what was charged', async () => {
  await Bun.write(MODELS, modelsFile(provider));
  const { projectId } = await initLedger(`file:${DB}`, 'ada@example.com', PASSWORD);
  let server = await startServer(`file:${DB}`, [], undefined, ENV);
  let bearer = '';
  const send = async <T>(method: string, path: string, json?: unknown): Promise<T> => {
    const separator = path.includes('?') ? '&' : '?';
    const reply = await fetch(`${server.url}/v1/${path}${separator}projectId=${projectId}`, {
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
  await send('POST', 'prompts', { name: 'sum', template: '{{question}}', labels: ['production'] });
  const { id: datasetId } = await send<Dataset>('POST', 'datasets', { name: 'sums' });
  for (let from = 0; from < ITEMS; from += 500) {
    const items = Array.from({ length: Math.min(500, ITEMS - from) }, (_, i) => ({
      id: `i${from + i}`,
      input: { question: `${from + i} + 1` },
    }));
    await send('POST', `datasets/${datasetId}/items`, { items });
  }

  // The provider charges a key once, and answers a known one with the same. Tokens differ by request.
  let asked = 0;
  let killAt = Number.POSITIVE_INFINITY;
  let reached = Promise.withResolvers<void>();
  const charged = new Map<string, number>();
  provider.answer = (request) => {
    if (++asked >= killAt) reached.resolve();
    const key = keyOf(request);
    if (!charged.has(key)) charged.set(key, charged.size);
    const n = charged.get(key) ?? 0;
    const usage = { input: 100 + n, output: 10 + (n % 7) };
    return request.model === 'gpt-4o'
      ? { text: ['{"reason":"good","value":1}'], usage }
      : { text: ['2'], usage, before: Bun.sleep(below(5)) };
  };
  const evaluators = JUDGES.map((name) => ({
    kind: 'judge',
    scoreName: name,
    config: {
      model: 'openai/gpt-4o',
      messages: [{ role: 'user', content: `Judge the ${name} of {{output}}` }],
    },
    output: { type: 'numeric', min: 0, max: 1 },
  }));
  const task = { kind: 'prompt', prompt: 'sum', model: 'openai/gpt-4o-mini' };
  const { id } = await send<Experiment>('POST', 'experiments', {
    name: 'x',
    datasetId,
    task,
    evaluators,
    concurrency: 8,
  });

  const restart = async (): Promise<RunningServer> => {
    await server.end('SIGKILL');
    return startServer(`file:${DB}`, [], undefined, ENV);
  };
  for (let kill = 1; kill <= KILLS; kill++) {
    reached = Promise.withResolvers();
    // Each within the calls that are left, spread over the experiment.
    const left = CALLS - charged.size;
    killAt = asked + 1 + below(Math.max(1, Math.floor((2 * left) / (KILLS - kill + 2))));
    await reached.promise;
    killAt = Number.POSITIVE_INFINITY;
    await Bun.sleep(below(8));
    server = await restart();
    // A restarted server goes on by itself within a minute; this does not wait for that.
    await send('POST', `experiments/${id}/resume`, {});
  }
  let found = await send<ExperimentDetail>('GET', `experiments/${id}`);
  while (found.status !== 'completed') {
    if (found.status !== 'running' && found.status !== 'preparing')
      throw new Error(`${found.status}: ${found.error}`);
    await Bun.sleep(50);
    found = await send<ExperimentDetail>('GET', `experiments/${id}`);
  }
  await runJob(`file:${DB}`, 'models.recover');

  // Each item was run and judged once: so many keys, and each has a result.
  expect(found.runs).toEqual({ waiting: 0, judging: 0, done: ITEMS, failed: 0 });
  expect(found.metrics.filter(({ kind }) => kind === 'score').map(({ name, n }) => [name, n])).toEqual(
    JUDGES.toSorted().map((name) => [name, ITEMS]),
  );
  expect(charged.size).toBe(CALLS);
  const price = (model: string, n: number): number => {
    const [input, output] = model === 'gpt-4o' ? [2_500, 10_000] : [150, 600];
    return (100 + n) * input + (10 + (n % 7)) * output;
  };
  const models = new Map(provider.requests.map((request) => [keyOf(request), request.model]));
  const nano = [...charged].reduce((sum, [key, n]) => sum + price(models.get(key) ?? '', n), 0);
  expect(Math.round(found.costUsd * 1e9)).toBe(nano);
  if (process.env.EXPERIMENT_KILLS !== undefined)
    console.log(`${ITEMS} items, ${KILLS} kills: ${asked} requests, ${charged.size} charged, $${nano / 1e9}`);
  const overview = await send<{ total: { values: { cost: number; requests: number } } }>(
    'POST',
    'metrics/query',
    {
      measures: ['cost', 'requests'],
      filter: 'environment:spanledger status:success',
      start: new Date(Date.now() - 3_600_000).toISOString(),
      end: new Date(Date.now() + 3_600_000).toISOString(),
    },
  );
  expect(overview.total.values.requests).toBe(CALLS);
  expect(Math.round(overview.total.values.cost * 1e9)).toBe(nano);
  // Cut calls stay in the books as calls of unknown outcome, without a cost.
  const cut = await send<{ total: { values: { cost: number; requests: number } } }>('POST', 'metrics/query', {
    measures: ['cost', 'requests'],
    filter: 'environment:spanledger -status:success',
    start: new Date(Date.now() - 3_600_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect(cut.total.values.cost ?? 0).toBe(0);
  expect(asked - charged.size).toBeLessThanOrEqual(KILLS * 8 * (1 + JUDGES.length));
  await server.end('SIGTERM');
}, 3_600_000);
