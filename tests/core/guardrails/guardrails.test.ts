import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import pino from 'pino';
import { injectionTexts } from '../../../src/lib/detect/corpus/injection.ts';
import { piiExamples } from '../../../src/lib/detect/corpus/pii.ts';
import { secretExamples } from '../../../src/lib/detect/corpus/secrets.ts';
import { compileGuardrail, runLocalGuardrails } from '../../../src/lib/guardrails/run-guardrails.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { openFolder } from '../../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../../helpers/model-provider.ts';
import { tablesWithText } from '../../helpers/stored-text.ts';

const CANARY = 'canarytext7f3a';
const EMAIL = `${CANARY}@example.com`;

let world: TestApp;
let mock: ModelProviderMock;
let webhook: ReturnType<typeof Bun.serve>;
let answerWebhook: (body: string, url: string) => Response | Promise<Response>;
const log: string[] = [];
const folder = openFolder();
beforeAll(async () => {
  mock = startModelProvider();
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  webhook = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => answerWebhook(await request.text(), request.url),
  });
  writeFileSync(folder.path('models.json'), modelsFile(mock));
  world = await openTestApp({
    rateLimits: false,
    env: { MODELS_FILE: folder.path('models.json'), OUTBOUND_ALLOW: '127.0.0.1' },
    log: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
  });
});
afterAll(async () => {
  await world.close();
  mock.close();
  await webhook.stop(true);
  folder.remove();
});
beforeEach(async () => {
  answerWebhook = () => Response.json({ score: 0 });
  const { guardrails } = await read('/v1/guardrails');
  for (const { id } of guardrails as { id: string }[]) await send('DELETE', `/v1/guardrails/${id}`);
});

const at = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}projectId=${world.seed.projectId}`;
const send = (method: string, path: string, json?: unknown, bearer = world.seed.bearer): Promise<Response> =>
  world.fetch(at(path), { method, bearer, ...(json === undefined ? {} : { json }) });
const read = async (path: string) => (await send('GET', path)).json() as Promise<Record<string, unknown>>;
const create = async (json: object): Promise<Record<string, unknown> & { id: string }> => {
  const response = await send('POST', '/v1/guardrails', json);
  expect(response.status).toBe(201);
  return response.json() as Promise<Record<string, unknown> & { id: string }>;
};
const check = async (json: object): Promise<Record<string, unknown>> => {
  const response = await send('POST', '/v1/guardrails/check', json);
  expect(response.status).toBe(200);
  return response.json() as Promise<Record<string, unknown>>;
};
type Event = Readonly<Record<string, unknown>>;
const events = async (kind = 'guardrail', filter = ''): Promise<Event[]> =>
  (await read(`/v1/events?kind=${kind}&filter=${encodeURIComponent(filter)}&limit=100`)).events as Event[];

const pii = { name: 'pii', checks: [{ kind: 'pii', config: {}, action: 'redact' }] };

describe('definitions', () => {
  test('have versions: a change of what a guardrail does makes the next one, and each can be read', async () => {
    const made = await create(pii);
    expect(made).toMatchObject({
      version: 1,
      stage: 'both',
      failureMode: 'open',
      sampleRate: 1,
      enabled: true,
    });
    const renamed = await (
      await send('PUT', `/v1/guardrails/${made.id}`, { ...pii, name: 'personal', enabled: false })
    ).json();
    expect(renamed).toMatchObject({ name: 'personal', version: 1, enabled: false });
    const changed = await (await send('PUT', `/v1/guardrails/${made.id}`, { ...pii, stage: 'input' })).json();
    expect(changed).toMatchObject({ name: 'pii', version: 2, stage: 'input', enabled: true });
    const { versions } = await read(`/v1/guardrails/${made.id}/versions`);
    expect(versions).toMatchObject([
      { version: 2, stage: 'input' },
      { version: 1, stage: 'both' },
    ]);
    const results = await Promise.all(
      ['closed', 'open'].map((failureMode, i) =>
        send('PUT', `/v1/guardrails/${made.id}`, { ...pii, failureMode, sampleRate: i / 2 }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)]);
  });

  test('that cannot work are refused with the reason', async () => {
    const refused = async (checks: unknown) => {
      const response = await send('POST', '/v1/guardrails', { name: 'x', checks });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await refused([{ kind: 'regex', config: { pattern: '(?=x)' }, action: 'block' }])).toEqual([
      400,
      expect.stringContaining('checks.0.config'),
    ]);
    expect(await refused([{ kind: 'length', config: { maxWords: 3 }, action: 'redact' }])).toEqual([
      400,
      expect.stringContaining('redact'),
    ]);
    expect(
      await refused([
        { kind: 'json_schema', config: { schema: { $ref: 'https://x.test' } }, action: 'flag' },
      ]),
    ).toEqual([400, expect.stringContaining('$ref')]);
    expect((await refused([]))[0]).toBe(400);
    expect((await refused([{ kind: 'nose', config: {}, action: 'flag' }]))[0]).toBe(400);
    await create(pii);
    const taken = await send('POST', '/v1/guardrails', pii);
    expect([taken.status, await taken.json()]).toEqual([409, { error: 'There is already a guardrail pii' }]);
  });

  test('a webhook needs an admin, because the text leaves for another server', async () => {
    const member = await world.addUser('member');
    const checks = [{ kind: 'webhook', config: { url: 'https://example.com/check' }, action: 'block' }];
    expect((await send('POST', '/v1/guardrails', { name: 'hook', checks }, member.bearer)).status).toBe(403);
    expect((await send('POST', '/v1/guardrails/try', { text: 'x', checks }, member.bearer)).status).toBe(403);
    expect(
      (await send('POST', '/v1/guardrails', { name: 'own', checks: pii.checks }, member.bearer)).status,
    ).toBe(201);
  });

  test('the link of a webhook is stored encrypted and never shown, and stays if it is written as shown', async () => {
    const token = 'token51d0c4';
    const seen: string[] = [];
    answerWebhook = (_, url) => {
      seen.push(url);
      return Response.json({ block: true });
    };
    const hook = (url: string) => ({
      name: 'hook',
      checks: [{ kind: 'webhook', config: { url }, action: 'block' }],
    });
    const shown = `${webhook.url.origin}/…`;
    const made = await create(hook(`${webhook.url}${token}`));
    const put = async (body: object) => send('PUT', `/v1/guardrails/${made.id}`, body);
    const renamed = await (await put({ ...hook(shown), name: 'renamed' })).json();
    expect([made, renamed]).toMatchObject([
      { version: 1, checks: hook(shown).checks },
      { version: 1, checks: hook(shown).checks },
    ]);
    expect(await (await put({ ...hook(shown), stage: 'input' })).json()).toMatchObject({ version: 2 });
    expect(await check({ text: 'x' })).toMatchObject({ action: 'block' });
    expect(seen).toEqual([`${webhook.url}${token}`]);
    expect(await read(`/v1/guardrails/${made.id}/versions`)).toMatchObject({
      versions: [{ checks: hook(shown).checks }, { checks: hook(shown).checks }],
    });
    expect(tablesWithText(world.ctx.db.path, token)).toEqual([]);
    for (const response of [
      await put(hook('https://other.example/…')),
      await send('POST', '/v1/guardrails', { ...hook(shown), name: 'two' }),
    ])
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('the whole link'),
      ]);
  });
});

describe('a check', () => {
  test('of a text and of messages: places, redaction in the same structure, an event without text', async () => {
    await create(pii);
    const traceId = 'c0ffee00c0ffee00c0ffee00c0ffee00';
    const verdict = await check({ text: `mail ${EMAIL} now`, traceId, userId: 'u-1', model: 'gpt-4o' });
    expect(verdict).toMatchObject({
      action: 'redact',
      text: 'mail [EMAIL] now',
      results: [
        {
          guardrail: 'pii',
          version: 1,
          check: 'pii',
          action: 'redact',
          matches: [{ type: 'email', start: 5, end: 5 + EMAIL.length, part: 0 }],
        },
      ],
    });
    const messages = [{ role: 'user', content: [{ type: 'text', text: `I am ${EMAIL}` }] }];
    expect((await check({ messages, stage: 'output' })).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'I am [EMAIL]' }] },
    ]);
    const [event] = await events('guardrail', 'user:u-1');
    expect(event).toMatchObject({
      name: 'pii',
      kind: 'guardrail',
      trace_id: traceId,
      operation: 'guardrail.input',
      status: 'success',
      model: 'gpt-4o',
      tags: { guardrail: 'redact' },
      metadata: {
        guardrail: {
          name: 'pii',
          version: 1,
          stage: 'input',
          outcome: 'redact',
          checks: [{ check: 'pii', action: 'redact', types: { email: 1 } }],
        },
      },
    });
    const tracesOf = async (filter: string) =>
      (await read(`/v1/traces?filter=${encodeURIComponent(filter)}`)).traces as { trace_id: string }[];
    for (const [filter, isIn] of [
      ['guardrail:redact', true],
      ['guardrail:block', false],
    ] as const)
      expect((await tracesOf(filter)).some((one) => one.trace_id === traceId)).toBe(isIn);
  });

  test('chooses guardrails by name, and refuses a name that does not exist', async () => {
    await create(pii);
    await create({
      name: 'words',
      checks: [{ kind: 'keywords', config: { words: ['falcon'] }, action: 'block' }],
    });
    const text = `falcon ${EMAIL}`;
    expect((await check({ text })).action).toBe('block');
    expect((await check({ text, guardrails: ['pii'] })).action).toBe('redact');
    const unknown = await send('POST', '/v1/guardrails/check', { text, guardrails: ['nope'] });
    expect([unknown.status, await unknown.json()]).toEqual([
      400,
      { error: 'guardrails: there is no guardrail nope' },
    ]);
    expect((await send('POST', '/v1/guardrails/check', { stage: 'input' })).status).toBe(400);
  });

  test('works with an access token of its scope and with an API key, whose clients get the definitions', async () => {
    await create({
      ...pii,
      checks: [
        ...pii.checks,
        { kind: 'judge', config: { instructions: 'Be kind', model: 'openai/gpt-4o' }, action: 'flag' },
      ],
    });
    const { token } = (await (
      await world.fetch(`/v1/access-tokens?organizationId=${world.seed.organizationId}`, {
        bearer: world.seed.bearer,
        json: {
          name: 'ci',
          projectId: world.seed.projectId,
          scopes: ['guardrails:check'],
        },
      })
    ).json()) as { token: string };
    expect((await send('POST', '/v1/guardrails/check', { text: 'hi' }, token)).status).toBe(200);
    expect((await send('GET', '/v1/guardrails', undefined, token)).status).toBe(403);
    const sdk = (init: object) => world.fetch('/v1/sdk/guardrails', { apiKey: world.seed.apiKey, ...init });
    const reply = await sdk({});
    expect(await reply.json()).toMatchObject({
      guardrails: [
        { name: 'pii', version: 1, checks: [pii.checks[0], { kind: 'judge', config: {}, action: 'flag' }] },
      ],
    });
    const etag = reply.headers.get('etag') ?? '';
    expect((await sdk({ headers: { 'if-none-match': etag } })).status).toBe(304);
    await create({ name: 'second', checks: pii.checks });
    expect((await sdk({ headers: { 'if-none-match': etag } })).status).toBe(200);
    const byKey = await world.fetch('/v1/sdk/guardrails/check', {
      apiKey: world.seed.apiKey,
      json: { text: EMAIL, guardrails: ['second'] },
    });
    expect(await byKey.json()).toMatchObject({ action: 'redact', text: '[EMAIL]' });
  });

  test('of another organization is refused', async () => {
    const other = await world.addTenant();
    const { id } = await create(pii);
    for (const [method, path] of [
      ['GET', `/v1/guardrails/${id}`],
      ['DELETE', `/v1/guardrails/${id}`],
    ] as const) {
      const foreign = await world.fetch(`${path}?projectId=${other.projectId}`, {
        method,
        bearer: other.bearer,
      });
      expect(foreign.status).toBe(404);
    }
    expect((await send('POST', '/v1/guardrails/check', { text: 'x' }, other.bearer)).status).toBe(403);
  });
});

test('figures and measures count each event once, also if its batch is sent twice', async () => {
  await create(pii);
  const measured = async () => {
    const query = {
      measures: ['guardrailChecks', 'guardrailBlocks', 'requests'],
      filter: 'model:gpt-4o',
      range: '24h',
    };
    const reply = (await (await send('POST', '/v1/metrics/query', query)).json()) as {
      total: { values: Record<string, number> };
    };
    return reply.total.values;
  };
  const first = await measured();
  const before = (await read('/v1/guardrails/figures?groupBy=user')) as { total: Record<string, number> };
  const metadata = {
    guardrail: {
      name: 'edge',
      version: 1,
      stage: 'input',
      outcome: 'block',
      checks: [{ check: 'secrets', action: 'block', score: 1, types: { jwt: 1 } }],
    },
  };
  const event = {
    event_id: '01234567-89ab-4cde-8f01-23456789abcd',
    kind: 'guardrail',
    name: 'edge',
    user_id: 'u-edge',
    model: 'gpt-4o',
    metadata,
    tags: { guardrail: 'block' },
  };
  for (let i = 0; i < 2; i++)
    await world.fetch('/v1/ingest', {
      apiKey: world.seed.apiKey,
      events: [event, { kind: 'guardrail', metadata: { guardrail: { outcome: 'nonsense' } } }],
    });
  await check({ text: 'nothing in it', model: 'gpt-4o' });
  expect(await measured()).toEqual({
    ...first,
    guardrailChecks: (first.guardrailChecks ?? 0) + 2,
    guardrailBlocks: (first.guardrailBlocks ?? 0) + 1,
  });
  const after = (await read('/v1/guardrails/figures?groupBy=user')) as {
    total: Record<string, number>;
    groups: Event[];
  };
  expect([after.total.block, after.total.allow]).toEqual([
    (before.total.block ?? 0) + 1,
    (before.total.allow ?? 0) + 1,
  ]);
  expect(after.groups.find(({ key }) => key === 'u-edge')).toMatchObject({ block: 1 });
  const byCheck = (await read('/v1/guardrails/figures?groupBy=check&guardrail=edge')) as { groups: Event[] };
  expect(byCheck.groups).toEqual([{ key: 'secrets', allow: 0, flag: 0, redact: 0, block: 1 }]);
});

describe('judges and webhooks', () => {
  const judged = (more: object = {}) => ({
    name: 'judge',
    checks: [
      {
        kind: 'judge',
        config: { instructions: 'No insults', model: 'openai/gpt-4o', timeoutMs: 5_000 },
        action: 'block',
      },
    ],
    ...more,
  });
  const hooked = (more: object = {}, timeoutMs = 5_000, types: readonly string[] = []) => ({
    name: 'hook',
    checks: [{ kind: 'webhook', config: { url: `${webhook.url}check`, types, timeoutMs }, action: 'block' }],
    ...more,
  });

  test('a judge gets the text as data and answers with a score', async () => {
    await create(judged());
    mock.answer = () => ({ text: ['{"score": 0.9}'] });
    expect(await check({ text: `you ${CANARY}` })).toMatchObject({
      action: 'block',
      results: [{ check: 'judge', score: 0.9 }],
    });
    mock.answer = () => ({ text: ['{"score": 0.1}'] });
    expect(await check({ text: `thank you ${CANARY}` })).toMatchObject({ action: 'allow' });
    mock.answer = () => ({ text: ['I would rather not'] });
    expect(await check({ text: 'x' })).toMatchObject({
      action: 'allow',
      results: [{ error: 'the judge did not answer with a score' }],
    });
    const calls = await events('llm');
    expect(calls[0]).toMatchObject({ agent: 'guardrails', cost_status: 'priced' });
    expect(calls[0]?.input ?? calls[0]?.output ?? null).toBeNull();
  });

  test('a webhook that blocks, fails, answers nonsense or takes too long', async () => {
    const { id } = await create(hooked({}, 3_000, ['insult']));
    answerWebhook = (body) => Response.json({ block: body.includes(CANARY), type: 'insult' });
    expect(await check({ text: CANARY })).toMatchObject({
      action: 'block',
      results: [{ matches: [{ type: 'insult' }] }],
    });
    expect(await check({ text: 'fine' })).toMatchObject({ action: 'allow' });
    answerWebhook = (body) => new Response(`no ${body}`, { status: 500 });
    expect(await check({ text: CANARY })).toMatchObject({
      action: 'allow',
      results: [{ error: 'the webhook answered 500' }],
    });
    answerWebhook = (body) => Response.json({ type: body, score: 1 });
    expect(await check({ text: CANARY })).toMatchObject({ results: [{ matches: [{ type: 'webhook' }] }] });
    // A word of the text is a name too, but none that the definition has.
    answerWebhook = () => Response.json({ type: 'canary_word', score: 1 });
    expect(await check({ text: CANARY })).toMatchObject({ results: [{ matches: [{ type: 'webhook' }] }] });
    await send('PUT', `/v1/guardrails/${id}`, hooked({ failureMode: 'closed' }, 100));
    const slow = Promise.withResolvers<Response>();
    answerWebhook = () => slow.promise;
    expect(await check({ text: CANARY })).toMatchObject({
      action: 'block',
      results: [{ error: expect.stringContaining('webhook') }],
    });
    slow.resolve(new Response('{}'));
  });
});

test('a large text is checked like its parts, by judges and webhooks too, and one too large is refused', async () => {
  const bodies: string[] = [];
  answerWebhook = (body) => {
    bodies.push(body);
    return bodies.length > 1 ? new Response('no', { status: 500 }) : Response.json({ score: 0.2 });
  };
  await create({
    name: 'large',
    checks: [
      { kind: 'webhook', config: { url: webhook.url.href }, action: 'block' },
      { kind: 'pii', config: {}, action: 'redact' },
    ],
  });
  const filling = 'An order with many words. '.repeat(4_000);
  const asked = { stage: 'input', messages: [{ role: 'user', content: `${filling}${EMAIL}` }] };
  const first = await check(asked);
  expect(first).toMatchObject({
    action: 'redact',
    results: [{ check: 'pii' }, { check: 'webhook', action: 'allow' }],
  });
  const [message] = first.messages as { content: string }[];
  expect(message?.content.startsWith(filling)).toBe(true);
  expect(message?.content).not.toContain(CANARY);
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ text: `${filling}${EMAIL}` });
  const second = await check({ stage: 'input', text: `${filling}${EMAIL}` });
  expect(second).toMatchObject({
    action: 'redact',
    results: [{ check: 'pii' }, { error: 'the webhook answered 500' }],
  });
  const tooLarge = await send('POST', '/v1/guardrails/check', { stage: 'input', text: 'x'.repeat(400_001) });
  expect([tooLarge.status, await tooLarge.text()]).toEqual([400, expect.stringContaining('text')]);
});

test('trying checks keeps nothing', async () => {
  const before = (await events()).length;
  const reply = await send('POST', '/v1/guardrails/try', { text: `I am ${EMAIL}`, checks: pii.checks });
  expect(await reply.json()).toMatchObject({ action: 'redact', text: 'I am [EMAIL]' });
  expect((await events()).length).toBe(before);
  const wrong = await send('POST', '/v1/guardrails/try', {
    text: 'x',
    checks: [{ kind: 'regex', config: { pattern: '[' }, action: 'flag' }],
  });
  expect(wrong.status).toBe(400);
});

test('server and library give the same verdicts on all examples', async () => {
  const checks = [
    { kind: 'pii', config: { countries: ['US', 'DE'] }, action: 'redact' },
    { kind: 'secrets', config: {}, action: 'redact' },
    { kind: 'prompt_injection', config: {}, action: 'flag' },
  ] as const;
  await create({ name: 'all', checks });
  const texts = [...piiExamples(), ...secretExamples()].map(({ text }) => text);
  const messages = [...texts, ...injectionTexts.attacks, ...injectionTexts.requests].map((content) => ({
    role: 'user',
    content,
  }));
  const { guardrails } = (await (
    await world.fetch('/v1/sdk/guardrails', { apiKey: world.seed.apiKey })
  ).json()) as {
    guardrails: Parameters<typeof compileGuardrail>[0][];
  };
  const compiled = guardrails.map(compileGuardrail);
  const plain = (results: unknown) =>
    JSON.parse(JSON.stringify(results, (name, value) => (name === 'durationMs' ? 0 : value)));
  for (let i = 0; i < messages.length; i += 300) {
    const some = messages.slice(i, i + 300);
    const server = await check({ messages: some });
    const own = runLocalGuardrails(compiled, some, 'input');
    expect(server.action).toBe(own.action);
    expect(server.messages).toEqual(own.content);
    expect(plain(server.results)).toEqual(plain(own.results));
  }
});

test('no text of all these checks is in a table, the file, its log or the log of the server', async () => {
  await world.ctx.db.sql.run('PRAGMA wal_checkpoint').catch(() => {});
  const path = world.ctx.db.path;
  expect(tablesWithText(path, CANARY)).toEqual([]);
  for (const file of [path, `${path}-wal`]) {
    const bytes = Buffer.from(
      await Bun.file(file)
        .arrayBuffer()
        .catch(() => new ArrayBuffer(0)),
    );
    expect(bytes.includes(CANARY)).toBe(false);
  }
  expect(log.filter((line) => line.includes(CANARY))).toEqual([]);
});
