import { afterAll, expect, test } from 'bun:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { encode, type SpanSpec, START } from '../features/otel/otlp.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const app = openApp({ config, mode: 'command' });
afterAll(async () => {
  await app.close();
  ledger.remove();
});

const TOOL = 'search_in_the_knowledge_base_of_the_support_team';
const chat = (id: string, start: number, properties: object): SpanSpec => ({
  id,
  start,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.agent.name': 'guide',
    'gen_ai.tool.definitions': JSON.stringify([
      { type: 'function', name: TOOL, parameters: { type: 'object', properties, required: ['query'] } },
    ]),
  },
});
const query = { query: { type: 'string' } };
const now = Date.now() - 3_600_000 - START;
const spans: SpanSpec[] = [
  chat('a1', now, query),
  chat('a2', now + 60_000, { ...query, limit: { type: 'integer' } }),
  {
    id: 'a3',
    start: now + 70_000,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': TOOL,
      'gen_ai.agent.name': 'guide',
    },
  },
];
const sent = await app.fetch(
  new Request('http://ledger/v1/otel', {
    method: 'POST',
    headers: { 'x-api-key': ledger.made.apiKey ?? '', 'content-type': 'application/json' },
    body: encode('json', ...spans),
  }),
);

test('tools show writes figures, callers, the schema and its changes, and the same as JSON', async () => {
  expect(sent.status).toBe(202);
  const shown = await ledger.run(['tools', 'show', TOOL]);
  expect(shown.code).toBe(0);
  for (const text of ['Called by', 'guide', 'query', 'added limit', 'First schema'])
    expect(shown.stdout).toContain(text);
  for (const line of shown.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const doc = await ledger.json('tools', 'show', TOOL);
  expect(doc).toMatchObject({
    tool: { name: TOOL, calls: 1, callers: ['guide'] },
    schemas: [{ added: ['limit'] }, { added: [] }],
  });

  expect(doc).toMatchObject({
    schemas: [
      {
        properties: [
          { path: 'limit', required: false },
          { path: 'query', required: true },
        ],
      },
      {},
    ],
  });
  const unknown = await ledger.run(['tools', 'show', 'search']);
  expect(unknown).toMatchObject({ code: 3, stdout: '' });
  expect(unknown.stderr).toContain('No event of this project names a tool search\n');
  expect(unknown.stderr).toContain('the matching `list` command shows what exists');
});
