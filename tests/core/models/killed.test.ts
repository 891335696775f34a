import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import type { CallEnd, ModelsReply } from '../../../src/core/models/contract.ts';
import { createClient } from '../../../src/sdk/index.ts';
import { openFolder } from '../../helpers/folder.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { startModelProvider } from '../../helpers/model-provider.ts';
import { initLedger, runJob, startServer } from '../../helpers/server.ts';

const folder = openFolder();
const mock = startModelProvider();
afterAll(() => {
  mock.close();
  folder.remove();
});

const db = folder.path('ledger.db');
const env = {
  MODELS_FILE: folder.path('models.json'),
  MOCK_MODEL_KEY: MOCK_KEY,
  OUTBOUND_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'trace',
};
const PASSWORD = 'correct horse battery';
/** Dialects, and the input tokens that a stream states before its end. */
const MODELS = ['openai/gpt-4o', 'anthropic/claude-sonnet-4-5', 'google/gemini-2.5-flash'];

/** The arguments of a process and of its children, as `ps` shows them. */
function argumentsOf(pid: number): string {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
    } catch {
      return false;
    }
  });
  return [String(pid), ...children].map((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8')).join('\n');
}

test('after kill -9 the books say what is known of each call, clients go on, and no key of a provider is anywhere', async () => {
  await Bun.write(env.MODELS_FILE, modelsFile(mock));
  const { projectId, apiKey } = await initLedger(db, 'ada@example.com', PASSWORD);
  let server = await startServer(db, [], undefined, env);
  const replies: string[] = [];
  let bearer = '';
  const send = (method: string, path: string, json?: unknown): Promise<Response> =>
    fetch(`${server.url}/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  const read = async <T>(method: string, path: string, json?: unknown): Promise<T> => {
    const text = await (await send(method, path, json)).text();
    replies.push(text);
    return JSON.parse(text) as T;
  };
  const login = { email: 'ada@example.com', password: PASSWORD };
  bearer = (await read<{ token: string }>('POST', 'auth/login', login)).token;
  await read('POST', 'prompts', { name: 'greet', template: 'Hi {{name}}', labels: ['production'] });

  const options = { apiKey, baseUrl: server.url, env: {}, remoteConfig: false, onProblem: () => {} };
  const running = createClient(options);
  expect((await running.prompt('greet')).version).toBe(1);

  // One call ends, and is charged: 800 fresh, 200 cached and 50 output tokens of gpt-4o.
  const ask = async (model: string): Promise<Response> => {
    const body = { model, prompt: { name: 'greet' }, variables: { name: 'Ada' } };
    // An overloaded machine refuses a call before anything is sent; a client asks again.
    for (;;) {
      const reply = await send('POST', 'prompts/run', body);
      if (reply.status !== 503) return reply;
      await reply.text();
    }
  };
  const done = await (await ask('openai/gpt-4o')).text();
  replies.push(done);
  expect(JSON.parse(done.split('data: ').at(-1) ?? '').call).toMatchObject({
    status: 'success',
    costUsd: 0.00275,
  } satisfies Partial<CallEnd>);
  // A refusal of the provider that repeats the key.
  mock.answer = () => ({ status: 401, error: `Incorrect API key provided: ${MOCK_KEY}` });
  replies.push(await (await ask('openai/gpt-4o')).text());

  // Three are killed when text of them has arrived.
  mock.answer = () => ({ between: new Promise(() => {}) });
  const ids = await Promise.all(
    MODELS.map(async (model) => {
      const reader = (await ask(model)).body?.getReader();
      let text = '';
      while (!text.includes('"type":"text"')) text += new TextDecoder().decode((await reader?.read())?.value);
      replies.push(text);
      reader?.closed.catch(() => {});
      return /"eventId":"([^"]+)"/.exec(text)?.[1] ?? '';
    }),
  );
  const before = await read<ModelsReply>('GET', 'models');
  const shown = argumentsOf(server.pid);
  await server.end('SIGKILL');
  const logs = [await server.log];

  for (let i = 0; i < 20; i++) {
    const prompt = await running.prompt('greet', { ttl: -1 });
    expect([prompt.version, prompt.compile({ name: 'Ada' })]).toEqual([1, 'Hi Ada']);
  }
  const starting = createClient(options);
  const fallback = await starting.prompt('greet', { fallback: 'Hello {{name}}' });
  expect([fallback.isFallback, fallback.compile({ name: 'Ada' })]).toEqual([true, 'Hello Ada']);
  await expect(starting.prompt('greet')).rejects.toThrow(/could not be fetched/);

  server = await startServer(db, [], undefined, env);
  const recovered = await runJob(db, 'models.recover');
  expect(recovered.code).toBe(0);
  for (const [place, id] of ids.entries()) {
    const [, model = ''] = MODELS[place]?.split('/') ?? [];
    expect(await read<object>('GET', `events/${id}`)).toMatchObject({
      model,
      status: 'cancelled',
      error_code: 'outcome_unknown',
      cost_usd: null,
      cost_status: 'unpriced',
      prompt_name: 'greet',
    });
  }
  // What was reserved counts as spent, because the provider may charge it; nothing runs any more.
  const { month } = await read<ModelsReply>('GET', 'models');
  expect(before.month.reservedUsd).toBeGreaterThan(0);
  expect(month.reservedUsd).toBe(0);
  expect(Math.round(month.spentUsd * 1e9)).toBe(
    Math.round((before.month.spentUsd + before.month.reservedUsd) * 1e9),
  );
  expect(mock.requests).toHaveLength(2 + MODELS.length);
  await server.end('SIGTERM');
  logs.push(await server.log, recovered.stdout, recovered.stderr);

  const files = readdirSync(folder.path('.')).map((name) => readFileSync(folder.path(name), 'latin1'));
  expect(mock.requests[0]?.headers.get('authorization')).toBe(`Bearer ${MOCK_KEY}`);
  expect(shown).toContain('serve');
  expect(logs[1]).toContain('"level"');
  const places = { logs: logs.join(''), replies: replies.join(''), arguments: shown, files: files.join('') };
  const found = Object.entries(places).filter(([, text]) => text.includes(MOCK_KEY));
  expect(found.map(([place]) => place)).toEqual([]);
}, 180_000);
