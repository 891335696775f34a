import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import type { Evaluator, EvaluatorVersion, JudgementReply } from '../../../src/core/evaluators/contract.ts';
import type { OnlineRule } from '../../../src/core/online-rules/contract.ts';
import { judgeJob } from '../../../src/core/online-rules/judge/judge-job.ts';
import type { Score } from '../../../src/core/scores/contract.ts';
import type { Experiment } from '../../../src/features/experiments/contract.ts';
import { type Lab, openLab } from '../../features/experiments/world.ts';
import { TEST_NOW } from '../../helpers/app.ts';
import { tablesWithText } from '../../helpers/stored-text.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const TOKEN = 'token51d0c4';
type Got = {
  readonly id: string | null;
  readonly url: string;
  readonly body: { readonly type: string; readonly data: Record<string, unknown> };
};

let lab: Lab;
let hook: ReturnType<typeof Bun.serve>;
let answer: (got: Got) => Response | Promise<Response>;
const got: Got[] = [];
beforeAll(async () => {
  lab = await openLab();
  hook = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const text = await request.text();
      // The reference implementation throws for a signature that is not right; it wants a recent time.
      const headers = Object.fromEntries(request.headers);
      const at = Number(headers['webhook-timestamp']) * 1_000;
      expect(at).toBe(Math.floor(lab.world.ctx.now() / 1_000) * 1_000);
      const body = verified(text, headers) as Got['body'];
      const one = { id: request.headers.get('webhook-id'), url: request.url, body };
      got.push(one);
      return answer(one);
    },
  });
});
afterAll(async () => {
  await hook.stop(true);
  await lab.close();
});
beforeEach(() => {
  got.length = 0;
  answer = () => Response.json({ value: 0.5, reason: 'half right' });
  lab.world.clock.set(TEST_NOW);
});

function verified(text: string, headers: Record<string, string>): unknown {
  const { now } = Date;
  Date.now = () => lab.world.ctx.now();
  try {
    return new Webhook(SECRET).verify(text, headers);
  } finally {
    Date.now = now;
  }
}

const evaluator = (name: string, more: object = {}): Record<string, unknown> => ({
  name,
  kind: 'webhook',
  scoreName: name,
  config: { url: `${hook.url}${TOKEN}`, secret: SECRET, timeoutMs: 500 },
  output: { type: 'numeric', min: 0, max: 1 },
  ...more,
});
const shown = () => ({ url: `${hook.url.origin}/…`, secret: '…', timeoutMs: 500 });
const tried = (
  example: object,
  output: object = { type: 'numeric', min: 0, max: 1 },
): Promise<JudgementReply> =>
  lab.send('POST', 'evaluators/test', { evaluator: evaluator('x', { output }), example });

test('a webhook is tried before it is saved: asked with the signed example, once, and nothing is stored', async () => {
  const example = { input: 'Hi', output: { text: 'Hello' }, expected: 'Hello', context: [1], latencyMs: 5 };
  expect(await tried(example)).toMatchObject({
    status: 'scored',
    value: 0.5,
    reason: 'half right',
    costUsd: 0,
    eventId: null,
  });
  expect(got.map(({ url, body }) => [url, body.type, body.data])).toEqual([
    [`${hook.url}${TOKEN}`, 'evaluation.requested', { ...example, costUsd: null, tags: { evaluator: 'x' } }],
  ]);
  expect(await tried({ input: 'no output' })).toMatchObject({
    status: 'skipped',
    reason: 'there is no output',
  });
  expect(got.length).toBe(1);
  expect(tablesWithText(lab.world.ctx.db.path, TOKEN)).toEqual([]);
});

test('a reply that is no score of the agreed form fails, and says why without a word of it', async () => {
  const category = { type: 'category', categories: ['good', 'bad'] };
  const cases: [() => Response, object | undefined, string, string | null][] = [
    [() => Response.json({ value: null, reason: 'off topic' }), undefined, 'skipped', 'off topic'],
    [() => Response.json({ value: 7 }), undefined, 'failed', 'the webhook answered a value that is above 1'],
    [() => Response.json({ value: -7 }), undefined, 'failed', 'the webhook answered a value that is below 0'],
    [
      () => Response.json({ value: 'CANARY' }),
      undefined,
      'failed',
      'the webhook answered a value that is not a number',
    ],
    [
      () => Response.json({ value: 1 }),
      { type: 'boolean' },
      'failed',
      'the webhook answered a value that is neither true nor false',
    ],
    [
      () => Response.json({ value: 'CANARY' }),
      category,
      'failed',
      'the webhook answered a value that is none of good, bad',
    ],
    [() => Response.json({ value: 'good' }), category, 'scored', null],
    [
      () => Response.json({ score: 'CANARY' }),
      undefined,
      'failed',
      'the webhook must answer { "value": …, "reason": "…" }; a value of null gives no score',
    ],
    [() => new Response('CANARY'), undefined, 'failed', 'the webhook did not answer with JSON'],
    [() => new Response('CANARY', { status: 500 }), undefined, 'failed', 'the webhook answered 500'],
    [() => Response.redirect('https://example.com/CANARY'), undefined, 'failed', 'the webhook answered 302'],
    [
      () => new Response('x'.repeat(70_000)),
      undefined,
      'failed',
      'the webhook: The reply is longer than 64000 bytes',
    ],
  ];
  for (const [reply, output, status, reason] of cases) {
    answer = reply;
    const judged = await tried({ output: 'x' }, output);
    expect(judged).toMatchObject({ status, reason });
    expect(JSON.stringify(judged)).not.toContain('CANARY');
  }
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  expect(await tried({ output: 'x' })).toMatchObject({
    status: 'failed',
    reason: 'the webhook: The host did not reply in time',
  });
  resolve(new Response());
});

test('link and secret are stored encrypted and never shown; what is shown of them means the same', async () => {
  const made = await lab.send<Evaluator>('POST', 'evaluators', evaluator('hidden'));
  expect(made).toMatchObject({ version: 1, config: shown() });
  const put = (more: object): Promise<Evaluator> =>
    lab.send('PUT', `evaluators/${made.id}`, evaluator('hidden', { config: shown(), ...more }));
  expect((await put({ description: 'renamed' })).version).toBe(1);
  expect((await put({ config: { ...shown(), timeoutMs: 400 } })).version).toBe(2);
  expect((await put({ config: { ...shown(), timeoutMs: 400, url: `${hook.url}other` } })).version).toBe(3);
  const read = await lab.send<Evaluator & { versions: EvaluatorVersion[] }>('GET', `evaluators/${made.id}`);
  expect(read.versions.map(({ config }) => Object.keys(config).sort())).toEqual(
    Array.from({ length: 3 }, () => ['secret', 'timeoutMs', 'url']),
  );
  const listed = JSON.stringify([read, await lab.send('GET', 'evaluators')]);
  expect(listed).not.toContain(TOKEN);
  expect(listed).not.toContain('sealed');
  // A try of the saved one fills in what the form does not have.
  const draft = evaluator('hidden', { config: shown() });
  const example = { output: 'x' };
  const of = { evaluator: draft, example, evaluatorId: made.id };
  expect(await lab.send<JudgementReply>('POST', 'evaluators/test', of)).toMatchObject({ value: 0.5 });
  expect(got.at(-1)?.url).toBe(`${hook.url}other`);
  expect(await lab.refused('POST', 'evaluators/test', { evaluator: draft, example })).toEqual([
    400,
    'config.url: write the whole link; what is shown of it ends with /…',
  ]);
  const elsewhere = { ...shown(), url: 'https://example.com/…' };
  expect(await lab.refused('PUT', `evaluators/${made.id}`, { ...draft, config: elsewhere })).toMatchObject([
    400,
    expect.stringContaining('whole link'),
  ]);
  for (const text of [TOKEN, SECRET]) expect(tablesWithText(lab.world.ctx.db.path, text)).toEqual([]);
});

test('a webhook needs an admin, and a link that this server may ask', async () => {
  const member = await lab.world.addUser('member');
  const post = (path: string, json: object): Promise<Response> =>
    lab.world.fetch(`/v1/${path}?projectId=${lab.world.seed.projectId}`, { bearer: member.bearer, json });
  expect((await post('evaluators', evaluator('members'))).status).toBe(403);
  const test = { evaluator: evaluator('members'), example: { output: 'x' } };
  expect((await post('evaluators/test', test)).status).toBe(403);
  for (const url of ['https://169.254.169.254/latest', 'http://10.0.0.1/', 'https://[::1]/']) {
    const config = { url, secret: SECRET };
    expect([url, await lab.refused('POST', 'evaluators', evaluator('ssrf', { config }))]).toMatchObject([
      url,
      [400, expect.stringMatching(/^config\.url: /)],
    ]);
  }
  const config = { url: `${hook.url}`, secret: 'hunter2' };
  const [status, error] = await lab.refused('POST', 'evaluators', evaluator('weak', { config }));
  expect([status, error]).toMatchObject([400, expect.stringContaining('config.secret: must be whsec_')]);
  expect(got).toEqual([]);
});

test('an online rule asks a webhook for each trace once; a repetition has the same id', async () => {
  await lab.send('PUT', `projects/${lab.world.seed.projectId}/sdk-config`, { storePrompts: true });
  const { id: evaluatorId } = await lab.send<Evaluator>('POST', 'evaluators', evaluator('online'));
  const rule = await lab.send<OnlineRule>('POST', 'online-rules', {
    name: 'hooked',
    evaluatorId,
    delaySeconds: 60,
  });
  const timestamp = new Date(TEST_NOW).toISOString();
  const call = { provider: 'openai', model: 'gpt-4o', timestamp, input: 'Hi', output: 'Yo' };
  const events = ['a', 'b'].map((trace_id) => ({ ...call, trace_id }));
  await lab.world.fetch('/v1/ingest', { apiKey: lab.world.seed.apiKey, events });
  let isDown = true;
  answer = () => (isDown ? new Response('', { status: 503 }) : Response.json({ value: 1 }));
  lab.world.clock.advance(2 * 60_000);
  await judgeJob.run(lab.world.ctx, new AbortController().signal);
  expect(got.length).toBe(2);
  isDown = false;
  lab.world.clock.advance(3 * 60_000);
  await judgeJob.run(lab.world.ctx, new AbortController().signal);
  await judgeJob.run(lab.world.ctx, new AbortController().signal);
  expect(got.length).toBe(4);
  expect(new Set(got.map(({ id }) => id)).size).toBe(2);
  const { scores } = await lab.send<{ scores: Score[] }>('GET', 'scores?name=online');
  expect(scores.map(({ traceId, value }) => [traceId, value]).sort()).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  expect((await lab.send<OnlineRule>('GET', `online-rules/${rule.id}`)).month).toMatchObject({
    scored: 2,
    costUsd: 0,
  });
});

test('an experiment uses a saved webhook, shows none of its secrets, and refuses one that is written in it', async () => {
  await lab.send('POST', 'evaluators', evaluator('graded'));
  const { id: datasetId } = await lab.dataset([{ input: 'a', expectedOutput: 'A' }, { input: 'b' }]);
  const plan = { name: 'hooked', datasetId, task: { kind: 'external' } };
  const inline = evaluator('inline');
  const { name: _, ...unsaved } = inline;
  expect(await lab.refused('POST', 'experiments', { ...plan, evaluators: [unsaved] })).toMatchObject([
    400,
    expect.stringContaining('save it with POST /v1/evaluators'),
  ]);
  const evaluators = [{ kind: 'saved', name: 'graded' }];
  const { id } = await lab.send<Experiment>('POST', 'experiments', { ...plan, evaluators });
  const { items } = await lab.send<{ items: { id: string }[] }>('GET', `datasets/${datasetId}/items`);
  await lab.send('POST', `experiments/${id}/items`, {
    items: items.map(({ id: itemId }) => ({ itemId, output: 'A' })),
  });
  await lab.send('POST', `experiments/${id}/finish`);
  const found = await lab.until(id, 'completed');
  expect(found.metrics.find((metric) => metric.name === 'graded')).toMatchObject({ n: 2, mean: 0.5 });
  expect(got.map(({ body }) => [body.data.input, body.data.expected]).sort()).toEqual([
    ['a', 'A'],
    ['b', null],
  ]);
  expect(found.evaluators).toMatchObject([{ config: shown(), output: { type: 'numeric' } }]);
  expect(JSON.stringify(found)).not.toContain('sealed');
  for (const text of [TOKEN, SECRET]) expect(tablesWithText(lab.world.ctx.db.path, text)).toEqual([]);
});
