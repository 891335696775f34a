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

test('an answer names the filter that a word was read as, and the question that is not understood its words', async () => {
  const timestamp = new Date().toISOString();
  const events = ['claude-sonnet-4-5', 'gpt-4o'].map((model) =>
    JSON.stringify({ timestamp, provider: 'p', model, input_tokens: 10, cost_usd: 1 }),
  );
  const init = {
    method: 'POST',
    headers: { 'x-api-key': ledger.made.apiKey ?? '' },
    body: events.join('\n'),
  };
  expect((await app.fetch(new Request('http://ledger/v1/ingest', init))).status).toBe(202);
  const { code, stdout } = await ledger.run(['ask', 'How much did we spend on claude in the last 24 hours?']);
  expect(code).toBe(0);
  expect(stdout).toContain('$1.00');
  expect(stdout).toContain(' · UTC · model:claude*');
  const unpriced = ['acme-llm-7b', 'acme-llm-7b', 'gpt-4o'].map((model) =>
    JSON.stringify({ timestamp, provider: 'acme', model, input_tokens: 10, output_tokens: 5 }),
  );
  const more = { ...init, body: unpriced.join('\n') };
  expect((await app.fetch(new Request('http://ledger/v1/ingest', more))).status).toBe(202);
  const none = await ledger.run(['ask', 'How much did acme-llm-7b cost in the last 24 hours?']);
  expect(none.stdout).toContain('None of the 2 calls of this window has a known price');
  const some = await ledger.run(['ask', 'cost in the last 24 hours']);
  expect(some.stdout).toContain('at least $2.00');
  expect(some.stdout).toContain('3 of 5 calls have no known price');
  const table = (await ledger.run(['query', '--by', 'model', '--by', 'provider'])).stdout;
  expect(table).toMatch(/acme-llm-7b +acme +no price +2/);
  expect(table).toMatch(/total +– +≥ \$2\.00 +5/);
  expect(table).toContain('! 3 of 5 calls unpriced');
  const refused = await ledger.run(['ask', 'Why is the weather bad?']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('I did not understand “why”, “weather”, “bad”');
});
