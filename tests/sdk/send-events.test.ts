import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { SNIPPETS, type SnippetName } from '../../src/features/ingest/snippets.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { type MockProvider, startProvider } from './mock-provider.ts';
import { nodeCommand, openProject, PROJECT_TIMEOUT, type Project } from './project.ts';
import { readEvents } from './world.ts';

let project: Project;
let provider: MockProvider;
let app: TestApp;
let server: ReturnType<typeof Bun.serve>;
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
});
afterEach(async () => {
  await server.stop(true);
  await app.close();
});

const usage = {
  input_tokens: 12,
  output_tokens: 3,
  total_tokens: 15,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};
/** Answers of both APIs of the provider: the AI SDK asks for responses. */
const ANSWERS = {
  chat: {
    id: 'c',
    object: 'chat.completion',
    model: 'gpt-4o',
    created: 1,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
  },
  responses: {
    id: 'r',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'gpt-4o',
    output: [
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Paris', annotations: [] }],
      },
    ],
    usage,
  },
} as const;

/** Runs the program of a tab as it stands there, after the settings that the tab exports. */
async function runSnippet(name: SnippetName): Promise<void> {
  const blocks = SNIPPETS[name].blocks({ origin: server.url.origin, apiKey: app.seed.apiKey });
  const [settings, program] = blocks.map(({ text }) => text);
  const exports = (settings ?? '').split('\n').filter((line) => line.startsWith('export '));
  await project.write(`${name}.mjs`, program ?? '');
  const ran = await project.run(['sh', '-c', `${exports.join('\n')}\nexec '${nodeCommand()}' ${name}.mjs`], {
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: `${provider.url}/v1`,
  });
  expect([name, ran.code, ran.stderr]).toEqual([name, 0, '']);
}

describe('the tabs of Send events, with the key that was made there', () => {
  test.each([
    ['sdk', ANSWERS.chat],
    ['ai', ANSWERS.responses],
    ['langchain', ANSWERS.chat],
    ['otel', ANSWERS.chat],
  ] as const)(
    '%s: the program runs as it is shown, and its call is an event with a cost',
    async (name, answer) => {
      provider.reset();
      provider.will({ json: answer });
      await runSnippet(name);
      const call = (await readEvents(app)).find(({ kind }) => kind === 'llm');
      expect(call).toMatchObject({ provider: 'openai', model: 'gpt-4o', input_tokens: 12, output_tokens: 3 });
      expect(call?.cost_usd).toBeGreaterThan(0);
    },
    60_000,
  );
});
