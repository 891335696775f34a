import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import manifest from '../../package.json' with { type: 'json' };
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { eventStreamMessage } from './event-stream.ts';
import { startGateway } from './http2-gateway.ts';
import { type MockProvider, type Reply, startProvider } from './mock-provider.ts';
import { nodeCommand, openProject, PROJECT_TIMEOUT, type Project } from './project.ts';
import { readEvents } from './world.ts';

let project: Project;
let provider: MockProvider;
let app: TestApp;
let server: ReturnType<typeof Bun.serve>;
let env: Record<string, string>;
beforeAll(async () => {
  project = await openProject();
  provider = startProvider();
}, PROJECT_TIMEOUT);
afterAll(async () => {
  project.remove();
  await provider.stop();
});
beforeEach(async () => {
  app = await openTestApp({ now: Date.now() });
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => app.app.fetch(request, { address: '127.0.0.1' }),
  });
  env = {
    SPANLEDGER_API_KEY: app.seed.apiKey,
    SPANLEDGER_BASE_URL: `http://127.0.0.1:${server.port}/`,
    SPANLEDGER_RELEASE: '7',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: provider.url,
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: provider.url,
  };
});
afterEach(async () => {
  await server.stop(true);
  await app.close();
});

const completion = {
  id: 'c',
  model: 'gpt-4o',
  created: 1,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text: 'Paris' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 12, output_tokens: 3 },
};

describe('the package', () => {
  test('contains only the client, and has no dependencies', async () => {
    const inside = await Bun.file(project.path('node_modules/spanledger/package.json')).json();
    expect(inside).toMatchObject({ name: 'spanledger', version: manifest.version, license: 'MIT' });
    for (const field of ['dependencies', 'devDependencies', 'scripts', 'private']) {
      expect(inside).not.toHaveProperty(field);
    }
    const peers = Object.keys(inside.peerDependencies);
    expect(peers.filter((name) => inside.peerDependenciesMeta[name].optional !== true)).toEqual([]);
    const files = [...new Bun.Glob('**').scanSync(project.path('node_modules/spanledger'))].sort();
    const other = files.filter(
      (file) =>
        !/^(esm|cjs)\/((index|guardrails|simulations|chunk-\w+)\.js|([\w-]+\/)*[\w-]+\.d\.ts)$/.test(file),
    );
    expect(other).toEqual(['LICENSE', 'README.md', 'cjs/package.json', 'package.json']);
    expect(Bun.file(project.tarball).size).toBeLessThan(660_000);
    const code = await Bun.file(project.path('node_modules/spanledger/esm/index.js')).text();
    expect(code.match(/^import\b.*|\brequire\(.*/m)).toBeNull();
  });

  test('an application bundles only the wrappers that it imports', async () => {
    await project.write('small.ts', `import { createClient } from 'spanledger/sdk'; createClient();`);
    const { outputs } = await Bun.build({ entrypoints: [project.path('small.ts')], minify: true });
    const code = (await outputs[0]?.text()) ?? '';
    expect(code).toContain('SPANLEDGER_');
    expect(code).not.toMatch(/generateContent|chat\/completions|\/v1\/messages|billed_units/);
  });

  test('exports exactly these names', async () => {
    const names = `import * as sdk from 'spanledger/sdk'; console.log(Object.keys(sdk).sort().join());`;
    await project.write('names.mjs', names);
    const { stdout } = await project.run([nodeCommand(), 'names.mjs']);
    expect(stdout.trim().split(',')).toMatchSnapshot();
  });
});

describe('a program that ends normally sends the remaining events first', () => {
  const esm = `import OpenAI from 'openai';
import { createClient, wrapOpenAI } from 'spanledger/sdk';
`;
  const cjs = `const OpenAI = require('openai').default;
const { createClient, wrapOpenAI } = require('spanledger/sdk');
`;
  // The pause lets the program's first turn of the event loop end before the call.
  const body = `const ledger = createClient();
const openai = wrapOpenAI(new OpenAI(), ledger);
ledger.trace('job', async () => {
  await new Promise((done) => setTimeout(done, 1));
  await openai.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] });
});
`;
  const programs: [name: string, command: () => string, file: string, text: string][] = [
    ['Node, ESM', nodeCommand, 'program.mjs', esm + body],
    ['Node, CommonJS', nodeCommand, 'program.cjs', cjs + body],
    ['Bun', () => process.execPath, 'program.ts', esm + body],
  ];
  for (const [name, command, file, text] of programs) {
    test(name, async () => {
      await project.write(file, text);
      provider.will({ json: completion });
      expect(await project.run([command(), file], env)).toEqual({ code: 0, stdout: '', stderr: '' });
      const events = await readEvents(app);
      const call = events.find(({ kind }) => kind === 'llm');
      const job = events.find(({ kind }) => kind === 'span');
      expect(events).toHaveLength(2);
      expect(call).toMatchObject({ input_tokens: 12, output_tokens: 3, release: '7' });
      expect(call?.parent_span_id).toBe(job?.span_id ?? '');
    });
  }

  test('a program without a reachable server reports it, and ends in time', async () => {
    await project.write(
      'away.mjs',
      `import { createClient } from 'spanledger/sdk'; createClient().track({ kind: 'span' });`,
    );
    const away = { ...env, SPANLEDGER_BASE_URL: 'http://127.0.0.1:1', SPANLEDGER_FLUSH_TIMEOUT_MS: '300' };
    const { code, stderr } = await project.run([nodeCommand(), 'away.mjs'], away);
    expect(code).toBe(0);
    expect(stderr).toContain('spanledger: 1 events were dropped');
  });

  test('a server that never answers does not keep a program running', async () => {
    const silent = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: () => new Promise<Response>(() => {}),
    });
    const text = (end: string) =>
      `import { createClient } from 'spanledger/sdk'; const l = createClient(); l.track({ kind: 'span' }); ${end}`;
    await project.write('silent.mjs', text(''));
    await project.write('closed.mjs', text('await l.shutdown();'));
    const patient = {
      ...env,
      SPANLEDGER_BASE_URL: silent.url.origin,
      SPANLEDGER_FLUSH_TIMEOUT_MS: '300',
      // Longer than this test may take.
      SPANLEDGER_REQUEST_TIMEOUT_MS: '600000',
    };
    const programs = ['silent.mjs', 'closed.mjs'];
    const runs = programs.flatMap((name) =>
      [nodeCommand(), process.execPath].map((command) => project.run([command, name], patient)),
    );
    for (const { code, stderr } of await Promise.all(runs)) {
      expect(code).toBe(0);
      expect(stderr).toContain('spanledger: 1 events were dropped');
    }
    await silent.stop(true);
  }, 30_000);

  test('a program without a key gets one message, and works', async () => {
    await project.write(
      'keyless.mjs',
      `import { createClient } from 'spanledger/sdk'; const l = createClient(); l.track({}); console.log(l.span('x', () => 42));`,
    );
    const { stdout, stderr } = await project.run([nodeCommand(), 'keyless.mjs'], {
      SPANLEDGER_SAMPLE_RATE: '7',
    });
    expect(stdout.trim()).toBe('42');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('a program that ends in another way sends its events too, and ends as it would have', () => {
  const client = `import { createClient } from 'spanledger/sdk';
const ledger = createClient();
ledger.track({ kind: 'span', name: 'last' });
`;
  const stay = 'setInterval(() => {}, 1000); process.stdout.write("ready");';
  const programs: [name: string, text: string, outcome: string, said: string][] = [
    ['exception', "setTimeout(() => { throw new RangeError('boom'); }, 1);", '1', 'RangeError: boom'],
    ['rejection', "Promise.reject(new RangeError('boom'));", '1', 'RangeError: boom'],
    ['signal', `${stay} process.kill(process.pid, 'SIGTERM');`, 'SIGTERM', ''],
    [
      'handled-signal',
      `${stay} process.on('SIGINT', () => ledger.flush().then(() => process.exit(7)));
process.kill(process.pid, 'SIGINT');`,
      '7',
      '',
    ],
    [
      'handled-exception',
      "process.on('uncaughtException', () => setTimeout(() => {}, 1)); throw new Error('mine');",
      '0',
      '',
    ],
  ];

  test('exceptions, rejections and signals, handled by the application or not', async () => {
    const runs = programs.map(async ([name, text]) => {
      await project.write(`${name}.mjs`, client + text);
      return project.run([nodeCommand(), `${name}.mjs`], { ...env, SPANLEDGER_ENVIRONMENT: name });
    });
    for (const [i, run] of (await Promise.all(runs)).entries()) {
      const [name, , outcome, said] = programs[i] ?? [];
      expect([name, run.signal ?? String(run.code)]).toEqual([name, outcome]);
      expect(run.stderr).toContain(said ?? '');
      // Node prints the line that threw, which must not be the whole package.
      expect(Math.max(...run.stderr.split('\n').map(({ length }) => length))).toBeLessThan(300);
    }
    const sent = (await readEvents(app)).map(({ environment }) => environment);
    expect(sent.sort()).toEqual(programs.map(([name]) => name).sort());
  });

  test('process.exit() lets nothing be sent, which is reported', async () => {
    await project.write('exit.mjs', `${client}process.exit(3);`);
    for (const command of [nodeCommand(), process.execPath]) {
      const { code, stderr } = await project.run([command, 'exit.mjs'], env);
      expect(code).toBe(3);
      expect(stderr.trim()).toBe(
        'spanledger: 1 event was not sent: process.exit() does not wait; call shutdown() before it',
      );
    }
    expect(await readEvents(app)).toEqual([]);
  });

  test('not if the client is told not to', async () => {
    await project.write('silent.mjs', `${client}throw new RangeError('boom');`);
    const { code } = await project.run([nodeCommand(), 'silent.mjs'], {
      ...env,
      SPANLEDGER_FLUSH_AT_EXIT: 'false',
    });
    expect([code, await readEvents(app)]).toEqual([1, []]);
  });
});

test('the types compile under --strict, for ESM and CommonJS', async () => {
  const consumer = `import OpenAI, { AzureOpenAI } from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import { wrapLanguageModel, wrapEmbeddingModel } from 'ai';
import * as openTelemetry from '@opentelemetry/api';
import { createOpenAI } from '@ai-sdk/openai';
import { aiMiddleware, type Client, createClient, type SpanledgerEvent, wrapAnthropic, wrapOpenAI } from 'spanledger/sdk';
const ledger: Client = createClient({ redact: { replace: ['x'] }, sampleRate: 0.5, openTelemetry, mask: (text, field) => field + text, fetch: (url, init) => fetch(url, init) });
const openai: OpenAI = wrapOpenAI(new OpenAI(), ledger);
const azure: AzureOpenAI = wrapOpenAI(new AzureOpenAI(), ledger, { includeUsage: true });
const anthropic: Anthropic = wrapAnthropic(new Anthropic(), ledger);
const middleware = aiMiddleware(ledger);
wrapLanguageModel({ model: createOpenAI().chat('x'), middleware });
wrapEmbeddingModel({ model: createOpenAI().embedding('x'), middleware });
const n: number = ledger.trace('x', (span) => span.span('y', () => 1));
const p: Promise<string> = ledger.trace('x', async () => 'a');
const add: (a: number, b?: string) => Promise<number> = ledger.observe(async (a: number, b?: string) => a, { kind: 'tool' });
const letters: () => AsyncGenerator<string> = ledger.observe(async function* () { yield 'a'; });
const url: Promise<string | undefined> = ledger.with({ user_id: 'u' }, () => ledger.traceUrl());
const event: SpanledgerEvent = { provider: 'x', model: 'y', tags: { a: 1 } };
// @ts-expect-error an unknown status
ledger.track({ ...event, status: 'fine' });
export { openai, azure, anthropic, n, p, add, letters, url };
`;
  const others = `import { wrapLanguageModel as wrap5 } from 'ai-5';
import { wrapEmbeddingModel as embed6, wrapLanguageModel as wrap6 } from 'ai-6';
import { createOpenAI as create5 } from 'ai-sdk-openai-2';
import { createOpenAI as create6 } from 'ai-sdk-openai-3';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { Mistral } from '@mistralai/mistralai';
import { CohereClientV2 } from 'cohere-ai';
import Groq from 'groq-sdk';
import { aiMiddleware, createClient, langChainHandler, wrapBedrock, wrapCohere, wrapGoogleGenAI, wrapGroq, wrapMistral } from 'spanledger/sdk';
const ledger = createClient();
const middleware = aiMiddleware(ledger);
wrap5({ model: create5().chat('x'), middleware });
wrap6({ model: create6().chat('x'), middleware: [middleware] });
embed6({ model: create6().embedding('x'), middleware });
export const bedrock: BedrockRuntimeClient = wrapBedrock(new BedrockRuntimeClient({}), ledger);
export const ai: GoogleGenAI = wrapGoogleGenAI(new GoogleGenAI({}), ledger);
export const mistral: Mistral = wrapMistral(new Mistral(), ledger);
export const cohere: CohereClientV2 = wrapCohere(new CohereClientV2({}), ledger, { provider: 'x' });
export const groq: Groq = wrapGroq(new Groq(), ledger);
export const model = new ChatOpenAI({ model: 'x', callbacks: [langChainHandler(ledger)] });
`;
  await project.write('clients.mts', others);
  await project.write('types.mts', consumer);
  await project.write('types.cts', consumer);
  await project.write('own.mts', `export { createClient } from 'spanledger/sdk';`);
  const tsc = [process.execPath, join(import.meta.dir, '../../node_modules/typescript/bin/tsc')];
  const flags =
    '--ignoreConfig --strict --noEmit --module nodenext --target es2022 --lib es2023,dom,dom.iterable'.split(
      ' ',
    );
  const check = (...more: string[]) => project.run([...tsc, ...flags, '--types', '', ...more]);
  const [whole, own] = await Promise.all([
    check('--skipLibCheck', 'types.mts', 'types.cts', 'clients.mts'),
    check('own.mts'),
  ]);
  expect([whole.stdout, own.stdout]).toEqual(['', '']);
}, 60_000);

test('works in an edge runtime without process, modules and compression', async () => {
  const code = await Bun.file(project.path('node_modules/spanledger/cjs/index.js')).text();
  const {
    fetch,
    crypto,
    performance,
    AbortController,
    AbortSignal,
    TextEncoder,
    TextDecoder,
    setTimeout,
    clearTimeout,
    URL,
    console,
  } = globalThis;
  const web = {
    fetch,
    crypto,
    performance,
    AbortController,
    AbortSignal,
    TextEncoder,
    TextDecoder,
    setTimeout,
    clearTimeout,
    URL,
    console,
  };
  const module = { exports: {} as typeof import('../../src/sdk/index.ts') };
  runInContext(`(function (module, exports) {${code}\n})`, createContext(web))(module, module.exports);
  const problems: unknown[] = [];
  const bodies: Uint8Array[] = [];
  const ledger = module.exports.createClient({
    env: { SPANLEDGER_API_KEY: app.seed.apiKey, SPANLEDGER_BASE_URL: env.SPANLEDGER_BASE_URL },
    onProblem: (problem) => void problems.push(problem),
    fetch: (url, init) => {
      if (init.body) bodies.push(init.body);
      return fetch(url, init);
    },
  });
  const span = ledger.trace('request', (kept) => {
    ledger.track({ provider: 'openai', model: 'gpt-4o', input_tokens: 1 });
    return kept;
  });
  span.track({ provider: 'openai', model: 'gpt-4o', input_tokens: 2 });
  const work: Promise<unknown>[] = [];
  ledger.waitUntil((promise) => void work.push(promise));
  await Promise.all(work);
  expect(problems).toEqual([]);
  expect(bodies[0]?.[0]).toBe('{'.charCodeAt(0));
  expect((await readEvents(app)).filter((event) => event.parent_span_id === span.spanId)).toHaveLength(2);
});

/** Keys of the providers, which their clients read from the environment. */
const keys = {
  GEMINI_API_KEY: 'x',
  GROQ_API_KEY: 'x',
  MISTRAL_API_KEY: 'x',
  CO_API_KEY: 'x',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
};
/** What the examples of the pages use besides packages: the runtime's own, and an application's agent. */
const SURROUNDINGS = `declare module 'node:test' { export function test(name: string, run: () => Promise<void>): void; }
declare module 'node:assert/strict' { export default function assert(value: unknown): void; }
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };`;

test('the examples of the pages below /docs compile under --strict, each by itself', async () => {
  const folder = join(import.meta.dir, '../../src/features/docs/pages');
  const names: string[] = [];
  for (const page of new Bun.Glob('*.md').scanSync(folder)) {
    const text = await Bun.file(join(folder, page)).text();
    for (const [, example = ''] of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
      if (!/ledger/.test(example)) continue;
      names.push(`${page}-${names.length}.mts`);
      await project.write(names.at(-1) ?? '', example);
    }
  }
  expect(names).toHaveLength(8);
  await project.write('surroundings.d.ts', SURROUNDINGS);
  await project.write(
    'agent.ts',
    `export const agent = { answer: async (messages: readonly unknown[]) => String(messages.length) };`,
  );
  const flags =
    '--ignoreConfig --strict --noUncheckedIndexedAccess --noEmit --skipLibCheck --module nodenext --target es2022';
  const tsc = [process.execPath, join(import.meta.dir, '../../node_modules/typescript/bin/tsc')];
  const lib = ['--lib', 'es2023,dom,dom.iterable', '--types', ''];
  const { stdout } = await project.run([...tsc, ...flags.split(' '), ...lib, 'surroundings.d.ts', ...names]);
  expect(stdout).toBe('');
}, 60_000);

const ofBedrock = (type: string, payload: object) =>
  eventStreamMessage(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    payload,
  );
/** Replies of Gemini, Bedrock, Groq, Mistral and Cohere. */
const otherReplies: readonly Reply[] = [
  {
    json: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Paris' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
    },
  },
  {
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    parts: [
      ofBedrock('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Paris' } }),
      ofBedrock('messageStop', { stopReason: 'end_turn' }),
      ofBedrock('metadata', { usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 } }),
    ],
  },
  { json: completion },
  { json: { ...completion, object: 'chat.completion' } },
  {
    json: {
      id: 'r',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Paris' }] },
      usage: { billed_units: { input_tokens: 12, output_tokens: 3 } },
    },
  },
];

describe('the examples of the README run', () => {
  test('all of them', async () => {
    const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text();
    const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
    expect(examples).toHaveLength(12);
    const gateway = await startGateway(() => provider.url);
    // These two have no environment variable for their address.
    await project.write(
      'redirect.ts',
      `const { fetch: plain } = globalThis;
const elsewhere = (url: string) => url.replace(/^https:\\/\\/api\\.(mistral\\.ai|cohere\\.com)/, '${provider.url}');
globalThis.fetch = Object.assign(
  async (input, init) =>
    input instanceof Request
      ? plain(elsewhere(input.url), { method: input.method, headers: input.headers, body: await input.text() })
      : plain(elsewhere(String(input)), init),
  plain,
);`,
    );
    const body = { ...completion, created: Math.floor(Date.now() / 1_000) };
    const line = { id: 'batch_req_1', custom_id: 'ask-1', response: { status_code: 200, body } };
    provider.will({ json: completion }, { json: message }, { json: completion }, ...otherReplies);
    provider.will(
      { json: completion },
      { json: { id: 'batch_1', output_file_id: 'file-1' } },
      { json: line },
      { json: completion },
    );
    const template = 'Sort this ticket of {{team}}: {{ticket}}';
    const made = await app.fetch(`/v1/prompts?projectId=${app.seed.projectId}`, {
      bearer: app.seed.bearer,
      json: { name: 'support/triage', template, labels: ['production'] },
    });
    expect(made.status).toBe(201);
    const all = examples.map((_, i) => `await import('./example-${i}.mts');`).join('\n');
    await project.write('examples.mts', all);
    for (const [i, example] of examples.entries()) await project.write(`example-${i}.mts`, example);
    const ran = await project.run([process.execPath, '--preload', './redirect.ts', 'examples.mts'], {
      ...env,
      ...keys,
      GOOGLE_GEMINI_BASE_URL: provider.url,
      GROQ_BASE_URL: provider.url,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: gateway.url,
    });
    gateway.close();
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const said = ran.stdout.trim().split('\n');
    const events = await readEvents(app);
    const trace = events.find(({ name }) => name === 'forecast')?.trace_id;
    const address = `${server.url.origin}/projects/${app.seed.projectId}/traces/${trace}`;
    expect(said).toEqual([
      ...['Paris', 'end_turn', 'Paris', 'Sunny in Paris', address],
      ...['Paris', 'Paris', 'Paris', 'Paris', 'COMPLETE', 'Paris', JSON.stringify(line), 'Paris'],
    ]);
    const kinds = events.map(({ kind, provider: by, cost_status }) => `${kind} ${by} ${cost_status}`).sort();
    expect(kinds).toEqual([
      'chain null null',
      'chain null null',
      'llm acme client',
      'llm anthropic priced',
      'llm aws priced',
      'llm cohere priced',
      'llm google priced',
      'llm groq priced',
      'llm mistral priced',
      'llm openai priced',
      'llm openai priced',
      'llm openai priced',
      'llm openai priced',
      'llm openai priced',
      'retrieval null null',
      'span null null',
      'span null null',
      'tool null null',
    ]);
    expect(events.find(({ name }) => name === 'look-up')).toMatchObject({
      user_id: '<mail>',
      session_id: 's-3',
      tags: { feature: 'weather' },
    });
    const answer = events.find((event) => event.provider === 'anthropic');
    expect(answer).toMatchObject({ user_id: 'u-17', tags: { feature: 'chat' }, environment: 'staging' });
  });
});
