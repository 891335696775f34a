import { afterAll, expect, test } from 'bun:test';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { statementSchema } from '../../src/features/costs/contract.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
afterAll(() => ledger.remove());

test("a day's statement adds up line by line, and the costs of its calls are explained", async () => {
  const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
  const app = openApp({ config, mode: 'command' });
  const timestamp = new Date(Date.now() - 86_400_000).toISOString();
  const event_id = crypto.randomUUID();
  const lines = Array.from({ length: 50 }, (_, i) => ({
    ...(i === 0 ? { event_id } : {}),
    timestamp,
    provider: i % 10 === 9 ? 'acme' : 'openai',
    model: i % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
    environment: i % 2 === 0 ? 'production' : 'staging',
    input_tokens: 7 * i + 1,
    output_tokens: i,
  }));
  const response = await app.fetch(
    new Request('http://localhost/v1/ingest', {
      method: 'POST',
      headers: { 'x-api-key': ledger.made.apiKey ?? '' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    }),
  );
  expect(response.status).toBe(202);
  await app.close();
  const doc = (await ledger.json('report', 'ledger', '--day', timestamp.slice(0, 10))) as {
    lines: { amount_nano: number | null }[];
    total_nano: number;
  };
  statementSchema.parse(doc);
  expect(doc).toMatchObject({ adds_up: true, calls: 50, unpriced: 5 });
  expect(doc.lines.reduce((sum, { amount_nano }) => sum + (amount_nano ?? 0), 0)).toBe(doc.total_nano);
  const { stdout } = await ledger.run(['report', 'ledger', '--day', timestamp.slice(0, 10)]);
  expect(stdout).toContain((doc.total_nano / 1e9).toFixed(9));
  for (const text of ['fresh input', 'output', 'no price', '0.15', 'gpt-4o-mini'])
    expect(stdout).toContain(text);
  expect(stdout).toContain(`Total ≥ $${(doc.total_nano / 1e9).toFixed(9)} of 50 calls`);
  expect(stdout).toContain('! 5 of 50 calls have no known price and are not included');
  const csv = (await ledger.run(['report', 'ledger', '--csv', '--day', timestamp.slice(0, 10)])).stdout;
  const amounts = csv
    .split('\n')
    .slice(1, -1)
    .map((line) => Number(line.split(',')[8]));
  expect(amounts.reduce((sum, nano) => sum + nano, 0)).toBe(doc.total_nano);
  const explained = await ledger.json('cost', 'explain', event_id);
  expect(explained).toMatchObject({ adds_up: true, cost_nano: 2_500, price: { model: 'gpt-4o' } });
});

test('every report marks a cost that leaves out calls without a price', async () => {
  const costs = (await ledger.run(['report', 'costs'])).stdout;
  expect(costs).toMatch(/^Total +≥ \$0\.\d+ /m);
  expect(costs).toMatch(/^Month to date +(≥ )?\$0/m);
  // The same name also has calls of a provider with a price.
  expect(costs).toMatch(/^gpt-4o-mini .* ≥ \$0\.\d+ /m);
  expect((await ledger.run(['report', 'overview'])).stdout).toMatch(/^Cost +≥ \$0\.\d+ /m);
  const none = (await ledger.run(['report', 'costs', '--filter', 'provider:acme input:64'])).stdout;
  expect(none).toMatch(/^Total +no price/m);
  expect(none).toContain('! 1 of 1 call has no known price and is not included:');
});
