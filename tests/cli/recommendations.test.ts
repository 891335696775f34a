import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Recommendation } from '../../src/features/ai/recommendations/contract.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { serve } from '../../src/serve.ts';
import { cliCommand } from '../helpers/server.ts';
import { openLedger, person } from './ledger.ts';

const ledger = await openLedger();
const home = mkdtempSync(join(tmpdir(), 'spanledger-home-'));
afterAll(() => {
  ledger.remove();
  rmSync(home, { recursive: true, force: true });
});

/** The program itself, in a process of its own, without a terminal. */
async function spanledger(words: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...cliCommand, ...words], {
    cwd: ledger.dir,
    env: {
      PATH: process.env.PATH ?? '',
      XDG_CONFIG_HOME: home,
      ...(env.SPANLEDGER_SERVER === undefined && { DATABASE_URL: `file:${ledger.path}` }),
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
/** What is read to see what happened, in this process, because a process of its own takes a second. */
const json = async <T>(...words: string[]): Promise<T> => (await ledger.json(...words)) as T;
const fits = (text: string): void => {
  for (const line of text.split('\n')) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
};
const actions = async (): Promise<string[]> =>
  (await json<{ entries: { action: string }[] }>('audit', 'list')).entries.map(({ action }) => action);

const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;

/** Calls that failed and were paid, of three models, and an hour that cost much more than four weeks of hours before. */
async function plant(): Promise<void> {
  const app = openApp({ config, mode: 'command' });
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const call = (ts: number, more: object): string =>
    JSON.stringify({
      timestamp: new Date(ts).toISOString(),
      provider: 'openai',
      model: 'gpt-4o',
      input_tokens: 1_000,
      output_tokens: 1_000,
      latency_ms: 500,
      user_id: 'maya',
      session_id: 's',
      ...more,
    });
  const failed = ['gpt-4.1', 'gpt-4o', 'o3'].flatMap((model, i) =>
    Array.from({ length: 60 + i * 20 }, (_, n) =>
      call(hour - n * 7 * HOUR_MS, { model, input_tokens: 20_000, status: 'timeout', cost_usd: 1 }),
    ),
  );
  const usual = Array.from({ length: 24 * 36 }, (_, h) => call(hour - h * HOUR_MS, { cost_usd: 0.1 }));
  const unusual = Array.from({ length: 30 }, () => call(hour - 30 * HOUR_MS, { cost_usd: 4, agent: 'loop' }));
  const lines = [...failed, ...usual, ...unusual];
  for (let from = 0; from < lines.length; from += 100) {
    const response = await app.fetch(
      new Request('http://ledger/v1/ingest', {
        method: 'POST',
        headers: { 'x-api-key': ledger.made.apiKey ?? '' },
        body: lines.slice(from, from + 100).join('\n'),
      }),
    );
    expect(response.status).toBe(202);
  }
  await app.close();
}
await plant();
const list = async (): Promise<readonly Recommendation[]> =>
  (await json<{ recommendations: Recommendation[] }>('recommendations', 'list')).recommendations;
const failedOf = (all: readonly Recommendation[], model: string): Recommendation => {
  const found = all.find((one) => one.kind === 'failed-calls' && one.model === model);
  if (found === undefined) throw new Error(`nothing is recommended for ${model}`);
  return found;
};

test('a recommendation is shown by the start of its id, within 80 columns', async () => {
  const one = failedOf(await list(), 'gpt-4o');
  const listed = await ledger.run(['recommendations', 'list']);
  fits(listed.stdout);
  expect(listed.stdout).toContain(one.id.slice(0, 12));
  const shown = await spanledger(['recommendations', 'show', one.id.slice(0, 12)]);
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  fits(shown.stdout);
  expect(shown.stdout).toContain(one.title);
  expect(shown.stdout).toContain('Mend what makes these calls fail');
  expect(shown.stdout).toContain(`recommendations apply ${one.id.slice(0, 12)} --as alert`);
  const unknown = await ledger.run(['recommendations', 'show', 'rec_nothing']);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('recommendations list')]);
}, 60_000);

test('one is dismissed with its reason, and opened again', async () => {
  const { id } = failedOf(await list(), 'o3');
  const without = await ledger.run(['recommendations', 'dismiss', id]);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--reason')]);
  const done = await spanledger(['recommendations', 'dismiss', id, '--reason', 'a load test', '--json']);
  expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { id, state: 'dismissed' }]);
  const dismissed = failedOf(await list(), 'o3');
  expect(dismissed).toMatchObject({ state: 'dismissed', decision: { reason: 'a load test', by: null } });
  expect((await ledger.run(['recommendations', 'show', id])).stdout).toContain('a load test');
  const again = await ledger.run(['recommendations', 'apply', id]);
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('recommendations reopen')]);
  expect((await spanledger(['recommendations', 'reopen', id])).code).toBe(0);
  expect(failedOf(await list(), 'o3').state).toBe('open');
  expect((await ledger.run(['recommendations', 'reopen', id])).code).toBe(5);
  expect(await actions()).toEqual(
    expect.arrayContaining(['copilot.recommendation_dismissed', 'copilot.recommendation_reopened']),
  );
}, 60_000);

test('an alert is shown before it is created, only with a yes, and is audited as prepared', async () => {
  const { id, documents } = failedOf(await list(), 'gpt-4.1');
  const words = ['recommendations', 'apply', id, '--as', 'alert'];
  const asked = await spanledger(words);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
  expect(asked.stdout).toContain('"measure": "cost"');
  const declined = await ledger.run(words, person('no'));
  expect([declined.code, declined.stderr]).toEqual([1, expect.stringContaining('nothing was changed')]);
  expect((await json<{ alerts: object[] }>('alerts', 'list')).alerts).toEqual([]);
  expect(failedOf(await list(), 'gpt-4.1').state).toBe('open');
  const made = await spanledger([...words, '--yes', '--json']);
  expect([made.code, made.stderr]).toEqual([0, '']);
  const done = JSON.parse(made.stdout) as { made: { id: string } };
  expect(done).toMatchObject({ id, state: 'applied', as: 'alert' });
  const { alerts } = await json<{ alerts: { id: string; name: string }[] }>('alerts', 'list');
  expect(alerts).toMatchObject([{ id: done.made.id, name: documents[0]?.body.name }]);
  expect(failedOf(await list(), 'gpt-4.1')).toMatchObject({ state: 'applied', decision: { as: 'alert' } });
  const told = await actions();
  for (const action of ['alert.created', 'copilot.alert_created', 'copilot.recommendation_applied'])
    expect(told.filter((one) => one === action)).toHaveLength(1);
}, 60_000);

test('while a server runs, it makes the budget; a change of the own code is only noted', async () => {
  const server = serve(openApp({ config, mode: 'serve' }), { host: '127.0.0.1', port: 0 });
  try {
    const { id } = failedOf(await list(), 'gpt-4o');
    const done = await spanledger(['recommendations', 'apply', id.slice(0, 12), '--as', 'budget', '--yes']);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('"limitUsd"')]);
    fits(done.stdout);
    expect(await actions()).toEqual(expect.arrayContaining(['budget.created', 'copilot.budget_created']));
    const before = await actions();
    const noted = await spanledger(['recommendations', 'apply', failedOf(await list(), 'o3').id]);
    expect([noted.code, noted.stdout]).toEqual([
      0,
      expect.stringContaining('Mend what makes these calls fail'),
    ]);
    const now = await actions();
    expect(now.slice(0, now.length - before.length)).toEqual(['copilot.recommendation_applied']);
  } finally {
    await server.stop();
  }
}, 60_000);

test('an unusual hour is explained by its number, and a server tells the same', async () => {
  const listed = await ledger.run(['anomalies', 'list']);
  fits(listed.stdout);
  expect(listed.stdout).toMatch(/^ *1 /m);
  const doc = await json<{ status: string; causes: object[] }>('anomalies', 'explain', '1');
  expect(doc.status).toBe('explained');
  const printed = await spanledger(['anomalies', 'explain', '1']);
  expect([printed.code, printed.stderr]).toEqual([0, '']);
  fits(printed.stdout);
  expect(printed.stdout).toContain('loop');
  const missing = await ledger.run(['anomalies', 'explain', '900']);
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('anomalies list')]);
  for (const words of [[], ['1', '--measure', 'cost'], ['nonsense'], ['--measure', 'cost']])
    expect((await ledger.run(['anomalies', 'explain', ...words])).code).toBe(2);
  const { token } = await json<{ token: string }>(
    ...['access-tokens', 'create', '--name', 'cli', '--scope', 'read', '--scope', 'ai:use'],
  );
  const recommendation = failedOf(await list(), 'gpt-4o').id;
  const server = serve(openApp({ config, mode: 'serve' }), { host: '127.0.0.1', port: 0 });
  try {
    const env = { SPANLEDGER_SERVER: server.url, SPANLEDGER_TOKEN: token };
    for (const words of [
      ['anomalies', 'explain', '1'],
      ['recommendations', 'show', recommendation],
    ]) {
      const [here, there] = [await ledger.run(words), await spanledger(words, env)];
      expect([there.code, there.stderr, there.stdout]).toEqual([0, here.stderr, here.stdout]);
    }
    const refused = await ledger.run(['recommendations', 'reopen', recommendation], { env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('access tokens only read')]);
  } finally {
    await server.stop();
  }
}, 60_000);
