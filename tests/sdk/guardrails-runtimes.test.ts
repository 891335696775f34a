import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createContext, runInContext } from 'node:vm';
import { injectionTexts } from '../../src/lib/detect/corpus/injection.ts';
import { languageTexts } from '../../src/lib/detect/corpus/languages.ts';
import { linkExamples } from '../../src/lib/detect/corpus/links.ts';
import { piiExamples } from '../../src/lib/detect/corpus/pii.ts';
import { secretExamples } from '../../src/lib/detect/corpus/secrets.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { nodeCommand, openProject, PROJECT_TIMEOUT, type Project } from './project.ts';
import { readEvents } from './world.ts';

const CHECKS = [
  { kind: 'pii', config: { countries: ['US', 'DE'] }, action: 'redact' },
  { kind: 'secrets', config: {}, action: 'redact' },
  { kind: 'prompt_injection', config: {}, action: 'flag' },
  { kind: 'urls', config: { deny: ['evil.example'] }, action: 'redact' },
  { kind: 'keywords', config: { words: ['invoice', 'straße', '机密'] }, action: 'redact' },
  { kind: 'regex', config: { pattern: '(?i)order-\\d+|\\p{Greek}+' }, action: 'redact' },
  { kind: 'language', config: { allow: ['en', 'de'] }, action: 'flag' },
  { kind: 'length', config: { maxWords: 20 }, action: 'flag' },
  { kind: 'json_schema', config: { schema: { type: 'object', required: ['id'] } }, action: 'flag' },
];
/** Every example of every detector. */
const TEXTS = [
  ...[...piiExamples(), ...secretExamples(), ...linkExamples()].map(({ text }) => text),
  ...injectionTexts.attacks,
  ...injectionTexts.requests,
  ...Object.values(languageTexts).flat(),
];

let project: Project;
let app: TestApp;
let provider: MockProvider;
let server: ReturnType<typeof Bun.serve>;
let env: Record<string, string>;
let expected: readonly string[];
beforeAll(async () => {
  project = await openProject();
  provider = startProvider();
  app = await openTestApp({ rateLimits: false, now: Date.now() });
  server = listen(app);
  env = envOf(app, server);
  for (const check of CHECKS) await define(app, check.kind, [check]);
  await project.write('texts.json', JSON.stringify(TEXTS));
  const verdicts: string[] = [];
  for (const text of TEXTS) {
    const reply = await app.fetch('/v1/sdk/guardrails/check', {
      apiKey: app.seed.apiKey,
      json: { text, stage: 'input' },
    });
    const verdict = (await reply.json()) as Verdict & { text?: string };
    verdicts.push(plain({ ...verdict, content: verdict.action === 'redact' ? verdict.text : text }));
  }
  expected = verdicts;
}, PROJECT_TIMEOUT + 60_000);
afterAll(async () => {
  await server.stop(true);
  await app.close();
  await provider.stop();
  project.remove();
});

const listen = (world: TestApp): ReturnType<typeof Bun.serve> =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => world.app.fetch(request, { address: '127.0.0.1' }),
  });
const envOf = (world: TestApp, { port }: ReturnType<typeof Bun.serve>): Record<string, string> => ({
  SPANLEDGER_API_KEY: world.seed.apiKey,
  SPANLEDGER_BASE_URL: `http://127.0.0.1:${port}/`,
  OPENAI_API_KEY: 'sk-test',
  OPENAI_BASE_URL: provider.url,
});

type Result = { readonly guardrail: string; readonly action: string; readonly score: number };
type Verdict = {
  readonly action: string;
  readonly results: readonly (Result & { readonly matches: readonly object[] })[];
};

const define = async ({ seed, fetch }: TestApp, name: string, checks: unknown): Promise<void> => {
  const json = { name, checks };
  const made = await fetch(`/v1/guardrails?projectId=${seed.projectId}`, { bearer: seed.bearer, json });
  expect(made.status).toBe(201);
};

/** A verdict without its times, in the order of the guardrails' names. */
const plain = ({ action, results, content }: Verdict & { content: unknown }): string =>
  JSON.stringify([
    action,
    content,
    results
      .map(({ guardrail, action: own, score, matches }) => [guardrail, own, score, matches])
      .sort((a, b) => String(a[0]).localeCompare(String(b[0]))),
  ]);

const compare = (found: readonly (Verdict & { content: unknown })[]): void => {
  expect(found).toHaveLength(TEXTS.length);
  const different = found.flatMap((verdict, i) =>
    plain(verdict) === expected[i] ? [] : [{ text: TEXTS[i], is: plain(verdict), should: expected[i] }],
  );
  expect(different.slice(0, 3)).toEqual([]);
};

const program = (imports: string): string => `${imports}
const ledger = createClient({ sampleRate: 0 });
const guardrails = createGuardrails(ledger);
(async () => {
  const verdicts = [];
  for (const text of texts) verdicts.push(await guardrails.check(text));
  console.log(JSON.stringify(verdicts));
})();
`;
const esm = `import { readFileSync } from 'node:fs';
import { createClient } from 'spanledger/sdk';
import { createGuardrails } from 'spanledger/guardrails';
const texts = JSON.parse(readFileSync('texts.json', 'utf8'));`;
const cjs = `const { createClient } = require('spanledger/sdk');
const { createGuardrails } = require('spanledger/guardrails');
const texts = require('./texts.json');`;

for (const [name, command, file, imports] of [
  ['Node, ESM', nodeCommand, 'verdicts.mjs', esm],
  ['Node, CommonJS', nodeCommand, 'verdicts.cjs', cjs],
  ['Bun', () => process.execPath, 'verdicts.ts', esm],
] as const) {
  test(`${name}: the verdicts on all examples are those of the server`, async () => {
    await project.write(file, program(imports));
    const { code, stdout, stderr } = await project.run([command(), file], env);
    expect([code, stderr]).toEqual([0, '']);
    compare(JSON.parse(stdout));
  }, 60_000);
}

test('an edge runtime without process, modules and Node: the same verdicts', async () => {
  const { fetch, crypto, performance, AbortSignal, TextEncoder, TextDecoder } = globalThis;
  const { setTimeout, clearTimeout, URL, console, atob, AbortController } = globalThis;
  const web = { fetch, crypto, performance, AbortSignal, TextEncoder, TextDecoder };
  const context = createContext({ ...web, AbortController, setTimeout, clearTimeout, URL, console, atob });
  const load = async <T>(name: string): Promise<T> => {
    const code = await Bun.file(project.path(`node_modules/spanledger/cjs/${name}.js`)).text();
    const module = { exports: {} };
    runInContext(`(function (module, exports) {${code}\n})`, context)(module, module.exports);
    return module.exports as T;
  };
  const { createClient } = await load<typeof import('../../src/sdk/index.ts')>('index');
  const { createGuardrails } = await load<typeof import('../../src/sdk/guardrails.ts')>('guardrails');
  const problems: unknown[] = [];
  const ledger = createClient({ env, sampleRate: 0, onProblem: (problem) => void problems.push(problem) });
  const guardrails = createGuardrails(ledger);
  const verdicts: (Verdict & { content: unknown })[] = [];
  for (const text of TEXTS) verdicts.push(await guardrails.check(text));
  expect(problems).toEqual([]);
  compare(verdicts);
}, 60_000);

test('Node: a wrapper takes guardrails by name, streamed and not, in ESM and CommonJS', async () => {
  const own = await openTestApp({ now: Date.now() });
  const listening = listen(own);
  await define(own, 'by-name', [{ kind: 'keywords', config: { words: ['falcon'] }, action: 'block' }]);
  const body = `const ledger = createClient();
const openai = wrapOpenAI(new OpenAI({ maxRetries: 0 }), ledger, { guardrails: ['by-name'] });
const messages = [{ role: 'user', content: 'project falcon' }];
(async () => {
  for (const stream of [false, true]) {
    await openai.chat.completions.create({ model: 'gpt-4o', messages, stream }).then(
      () => console.log('sent'),
      (error) => console.log(error.name, error.message),
    );
  }
})();
`;
  await project.write(
    'names.mjs',
    `import OpenAI from 'openai';\nimport { createClient, wrapOpenAI } from 'spanledger/sdk';\n${body}`,
  );
  await project.write(
    'names.cjs',
    `const OpenAI = require('openai').default;\nconst { createClient, wrapOpenAI } = require('spanledger/sdk');\n${body}`,
  );
  const blocked = 'GuardrailError blocked by by-name (input): keyword';
  for (const file of ['names.mjs', 'names.cjs']) {
    expect(await project.run([nodeCommand(), file], envOf(own, listening))).toEqual({
      code: 0,
      stdout: `${blocked}\n${blocked}\n`,
      stderr: '',
    });
  }
  // Nothing was sent, so that nothing was called and nothing costs.
  expect(provider.seen).toEqual([]);
  const events = await readEvents(own);
  expect(events.map(({ kind, name, cost_usd: cost }) => [kind, name, cost ?? null])).toEqual(
    Array.from({ length: 4 }, () => ['guardrail', 'by-name', null]),
  );
  await listening.stop(true);
  await own.close();
}, 60_000);
