import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { migrations } from '../../migrations/index.ts';
import { migrationStates } from '../../src/db/open.ts';
import { openFolder } from '../helpers/folder.ts';
import { runCommand, startServer } from '../helpers/server.ts';
import { queryFile, storageFaults, storedEvents } from '../helpers/stored-events.ts';
import { QUESTIONS } from './questions.ts';

const FILES = `${import.meta.dir}/files`;
const folder = openFolder();
afterAll(() => folder.remove());

/** These depend on the day on which they are asked. */
const OF_TODAY: readonly string[] = ['mtdTotal', 'forecast30d', 'forecastDays', 'monthEnd'];

type Made = { window: string[]; apiKey: string; events: number; answers: Record<string, unknown> };

/** What a later version adds to an answer is no difference. */
function expectAsBefore(now: unknown, before: unknown, where: string): void {
  if (Array.isArray(before)) {
    expect([where, (now as unknown[]).length]).toEqual([where, before.length]);
    for (const [i, one] of before.entries()) expectAsBefore((now as unknown[])[i], one, `${where}[${i}]`);
  } else if (before !== null && typeof before === 'object') {
    for (const [key, value] of Object.entries(before))
      if (!OF_TODAY.includes(key))
        expectAsBefore((now as Record<string, unknown>)[key], value, `${where}.${key}`);
  } else expect([where, now]).toEqual([where, before]);
}

const versions = readdirSync(FILES)
  .filter((name) => name.endsWith('.db.gz'))
  .map((name) => name.slice(0, -'.db.gz'.length));

describe.each(versions)('the file of version %s', (version) => {
  const path = folder.path(`${version}.db`);
  const run = async (...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    runCommand([...words, '--db', path]);
  const json = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await run(...words, '--json');
    expect([words.join(' '), code, code === 0 ? '' : stderr]).toEqual([words.join(' '), 0, '']);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  test('is tried on a copy, upgraded, in order, and answers as before', async () => {
    const made = (await Bun.file(`${FILES}/${version}.json`).json()) as Made;
    const bytes = Bun.gunzipSync(await Bun.file(`${FILES}/${version}.db.gz`).bytes());
    await Bun.write(path, bytes);
    const pending = migrationStates(path, migrations).flatMap(({ name, appliedAt }) =>
      appliedAt === null ? [name] : [],
    );
    const checked = await json('upgrade', '--check');
    expect(checked).toMatchObject({ file: path, pending, tried: pending.length > 0 });
    expect(await Bun.file(path).bytes()).toEqual(new Uint8Array(bytes));
    expect(readdirSync(folder.path('.')).filter((name) => name.includes('.check-'))).toEqual([]);
    expect(await json('migrate', 'up')).toMatchObject({ applied: pending });
    expect(await json('verify')).toMatchObject({ ok: true, problems: [] });
    const rows = storedEvents(path);
    expect(rows.length).toBe(made.events);
    expect(storageFaults(path, rows)).toEqual([]);
    for (const words of QUESTIONS) {
      const now = await json(...words, ...made.window);
      expectAsBefore(now, made.answers[words.join(' ')], words.join(' '));
    }
  }, 60_000);

  test('takes events for its old keys, and backs up and restores', async () => {
    const made = (await Bun.file(`${FILES}/${version}.json`).json()) as Made;
    const server = await startServer(path);
    const headers = { 'x-api-key': made.apiKey };
    const body = JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1, output_tokens: 1 });
    expect((await fetch(`${server.url}/v1/ingest`, { method: 'POST', headers, body })).status).toBe(202);
    await server.end('SIGTERM');
    const restored = folder.path(`${version}-restored.db`);
    const copy = folder.path(`${version}-copy.db`);
    expect((await run('backup', copy)).code).toBe(0);
    expect((await runCommand(['restore', copy, '--db', restored])).code).toBe(0);
    const [[audited] = []] = queryFile(restored, 'SELECT count(*) FROM audit_log');
    expect(Number(audited)).toBeGreaterThan(0);
  }, 60_000);
});

test('each release has its file', () => {
  expect(versions).toContain('0.2.0');
});
