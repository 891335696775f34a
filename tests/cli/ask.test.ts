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
  const refused = await ledger.run(['ask', 'Why is the weather bad?']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('I did not understand “why”, “weather”, “bad”');
});
