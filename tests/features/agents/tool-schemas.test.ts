import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type ToolReply, toolReplySchema } from '../../../src/features/agents/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { tablesWithText } from '../../helpers/stored-text.ts';
import { encode, type SpanSpec, START } from '../otel/otlp.ts';

const SECRET = 'XYZZY';
let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const definition = (properties: object, required: string[]): string =>
  JSON.stringify([
    {
      type: 'function',
      name: 'weather',
      description: SECRET,
      parameters: { type: 'object', properties, required },
    },
    { type: 'function', name: 'never_called', parameters: { type: 'object', properties: {} } },
  ]);
const CITY = { city: { type: 'string', description: SECRET, enum: [SECRET] } };
const chat = (id: string, start: number, definitions: string): SpanSpec => ({
  id,
  start,
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.agent.name': 'guide',
    'gen_ai.tool.definitions': definitions,
  },
});
const called: SpanSpec = {
  id: 'aa',
  attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather' },
};

async function send(specs: readonly SpanSpec[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await app.fetch('/v1/otel', {
    method: 'POST',
    apiKey: app.seed.apiKey,
    headers,
    body: encode('json', ...specs),
  });
  expect(reply.status).toBe(202);
}
async function schemas(name: string, status = 200): Promise<ToolReply['schemas']> {
  const { bearer, projectId } = app.seed;
  const reply = await app.fetch(`/v1/tools/${name}?projectId=${projectId}`, { bearer });
  expect(reply.status).toBe(status);
  return status === 200 ? toolReplySchema.parse(await reply.json()).schemas : [];
}
const at = (ms: number): string => new Date(START + ms).toISOString();

test('a tool has the schemas that calls were offered, with what changed and no text of them', async () => {
  const next = { ...CITY, days: { type: 'integer' } };
  await send([called, chat('1', 0, definition(CITY, ['city']))]);
  await send([chat('2', 2_000, definition(next, []))]);
  // Late, and of the first schema.
  await send([chat('3', 1_000, definition(CITY, ['city'])), chat('4', 3_000, definition(next, []))]);
  const found = await schemas('weather');
  expect(found).toMatchObject([
    { firstSeen: at(2_000), added: ['days'], removed: [], changed: ['city'] },
    { firstSeen: at(0), added: [], removed: [], changed: [] },
  ]);
  expect(found[0]?.properties).toEqual([
    { path: 'city', type: 'string', required: false },
    { path: 'days', type: 'integer', required: false },
  ]);
  expect(tablesWithText(app.ctx.db.path, 'city')).toContain('tool_schemas');
  expect(tablesWithText(app.ctx.db.path, SECRET)).toEqual([]);
});

test('a tool that is only offered is not in the registry', () => schemas('never_called', 404));
