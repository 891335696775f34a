import { afterAll, expect, test } from 'bun:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const app = openApp({ config, mode: 'command' });
afterAll(async () => {
  await app.close();
  ledger.remove();
});

const timestamp = new Date(Date.now() - 3_600_000).toISOString();
const names = Array.from({ length: 1_002 }, (_, i) => i);
const events = names.flatMap((no) => [
  { agent: `agent-${no}x`, provider: 'openai', model: 'gpt-4o', cost_usd: 0.01, timestamp },
  { kind: 'tool', tool: `tool-${no}x`, timestamp },
]);
for (let from = 0; from < events.length; from += 100) {
  const body = events.slice(from, from + 100).map((event) => JSON.stringify(event));
  const headers = { 'x-api-key': ledger.made.apiKey ?? '' };
  const request = new Request('http://ledger/v1/ingest', { method: 'POST', headers, body: body.join('\n') });
  expect((await app.fetch(request)).status).toBe(202);
}

test('lists of agents and tools end with what they leave out', async () => {
  const agents = await ledger.run(['agents', 'list']);
  expect(agents.stdout.trimEnd().split('\n').at(-1)).toBe('and 2 other agents: 2 model calls, $0.02');
  const tools = await ledger.run(['tools', 'list']);
  expect(tools.stdout.trimEnd().split('\n').at(-1)).toBe('and 2 other tools: 2 calls');
});
