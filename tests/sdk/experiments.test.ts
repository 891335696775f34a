import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { ExperimentRun } from '../../src/features/experiments/contract.ts';
import { ApiError, type Client, createClient } from '../../src/sdk/index.ts';
import { fetchOf, openSdkWorld, type SdkWorld } from './world.ts';

type Input = { readonly a: number; readonly b: number };

let world: SdkWorld;
let accessToken: string;
beforeAll(async () => {
  world = await openSdkWorld();
  const { seed, fetch } = world.app;
  const reply = await fetch(`/v1/access-tokens?organizationId=${seed.organizationId}`, {
    method: 'POST',
    bearer: seed.bearer,
    json: { name: 'tests', scopes: ['read', 'datasets:write', 'experiments:run'] },
  });
  accessToken = ((await reply.json()) as { token: string }).token;
});
afterAll(() => world.close());

/** A client that loses the replies of the first requests whose path matches. */
const open = (lost?: { readonly path: RegExp; times: number }, token = accessToken): Client => {
  const send = fetchOf(world.app);
  return createClient({
    apiKey: world.app.seed.apiKey,
    accessToken: token,
    baseUrl: 'http://ledger.test',
    env: {},
    fetch: async (url, init) => {
      const reply = await send(url, init);
      if (lost !== undefined && lost.times > 0 && init.method === 'POST' && lost.path.test(url)) {
        lost.times--;
        throw new Error('socket hang up');
      }
      return reply;
    },
  });
};

/** Adds, with a call of a model: $1.5e-7 an input token. */
const add = (client: Client, { a, b }: Input): number => {
  client.track({ provider: 'openai', model: 'gpt-4o-mini', input_tokens: 1_000 * a, output_tokens: 0 });
  return a + b;
};

test('items are added once though a reply is lost, and read by version and split', async () => {
  const client = open({ path: /\/items\?/, times: 1 });
  const sums = client.dataset<Input, number>('sums');
  const items = Array.from({ length: 6 }, (_, a) => ({
    id: `s${a}`,
    input: { a, b: 1 },
    expectedOutput: a + 1,
    split: a < 4 ? 'test' : 'train',
  }));
  expect(await sums.add(items.slice(0, 5))).toMatchObject({ version: 1 });
  expect(await sums.add([...items.slice(4), { input: { a: 9, b: 9 } }])).toMatchObject({
    version: 2,
    added: 2,
  });
  const read = async (options: object) => {
    const found: string[] = [];
    for await (const { id, input, expectedOutput } of sums.items(options))
      found.push(`${id.slice(0, 2)} ${input.a} ${expectedOutput}`);
    return found;
  };
  expect(await read({ version: 1, split: 'test' })).toEqual(['s0 0 1', 's1 1 2', 's2 2 3', 's3 3 4']);
  expect(await read({})).toHaveLength(7);
  expect(client.dataset('none').items()[Symbol.asyncIterator]().next()).rejects.toThrow(
    'there is no dataset none',
  );
});

test('an experiment runs some items at once, with scores, the costs of its calls, and a baseline', async () => {
  const client = open({ path: /experiments/, times: 1 });
  let running = 0;
  let most = 0;
  const run = (wrong: number) =>
    client.experiment<Input, number, number>({
      name: 'adding',
      dataset: client.dataset<Input, number>('sums'),
      split: 'test',
      concurrency: 2,
      baseline: 'last',
      task: async ({ input }) => {
        most = Math.max(most, ++running);
        await Bun.sleep(1);
        running--;
        if (input.a === 3) throw new Error('three is too many');
        return add(client, input) + wrong;
      },
      score: ({ item, output }) => ({
        right: output === item.expectedOutput,
        size: output > 2 ? 'big' : 'small',
      }),
      evaluators: [{ kind: 'numeric', scoreName: 'near', config: { tolerance: 1 } }],
    });
  const first = await run(0);
  expect(most).toBe(2);
  expect(first.runs).toEqual({ done: 3, failed: 1 });
  expect(first.metrics).toMatchObject({
    right: { n: 3, mean: 1 },
    near: { mean: 1 },
    'size=big': { n: 3 },
    failures: { mean: 0.25 },
  });
  expect(first.costUsd).toBeCloseTo(1.5e-4 * 3, 9);
  expect(first.comparison).toBeNull();
  expect(first.url).toBe(`http://ledger.test/projects/${world.app.seed.projectId}/experiments/${first.id}`);
  const second = await run(1);
  expect(second.comparison?.right).toMatchObject({ baseline: 1, losses: 3, wins: 0 });
  expect(second.metrics.near?.mean).toBe(1);
});

test('a run that was cut off goes on with its id, and runs what failed once more', async () => {
  const client = open();
  const asked: string[] = [];
  const run = (task: (input: Input) => number) =>
    client.experiment<Input>({
      name: 'cut',
      dataset: 'sums',
      runId: 'job-7',
      concurrency: 1,
      task: ({ id, input }) => {
        asked.push(id);
        return task(input);
      },
    });
  const stop = new AbortController();
  const cut = client.experiment<Input>({
    name: 'cut',
    dataset: 'sums',
    runId: 'job-7',
    concurrency: 1,
    signal: stop.signal,
    task: ({ id, input }) => {
      asked.push(id);
      if (input.a === 1) throw new Error('not now');
      if (input.a === 4) stop.abort(new Error('cut off'));
      return 1;
    },
  });
  expect(cut).rejects.toThrow('cut off');
  await cut.catch(() => {});
  expect(asked).toEqual(['s0', 's1', 's2', 's3', 's4']);
  asked.length = 0;
  const done = await run(() => 2);
  expect([asked[0], asked.length]).toEqual(['s1', 3]);
  expect(done.runs).toEqual({ done: 7, failed: 0 });
  asked.length = 0;
  expect((await run(() => 3)).id).toBe(done.id);
  expect(asked).toEqual([]);
  const { seed, fetch } = world.app;
  const reply = await fetch(`/v1/experiments/${done.id}/items?projectId=${seed.projectId}`, {
    bearer: seed.bearer,
  });
  const { items } = (await reply.json()) as { items: ExperimentRun[] };
  expect(items.map(({ output }) => output)).toEqual([1, 2, 1, 1, 1, 2, 2]);
});

test.each([
  [{ accessToken: '' }, 'datasets and experiments need an access token'],
  [{ accessToken: `slt_${'0'.repeat(64)}` }, '(401)'],
  [{ apiKey: '' }, 'there is no API key'],
])('with %p a request says what is missing', async (options, message) => {
  const client = createClient({
    apiKey: world.app.seed.apiKey,
    accessToken,
    baseUrl: 'http://ledger.test',
    env: {},
    fetch: fetchOf(world.app),
    ...options,
  });
  const failure: unknown = await client
    .dataset('sums')
    .add([{ input: 1 }])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(String(failure)).toContain(message);
});
