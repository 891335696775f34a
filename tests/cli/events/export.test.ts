import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { writePieces } from '../../../cli/write-file.ts';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { openLedger, PASSWORD } from '../ledger.ts';

const ledger = await openLedger();
const config = loadConfig({ env: { DATABASE_URL: `file:${ledger.path}`, LOG_LEVEL: 'error' } }).values;
const app = openApp({ config, mode: 'command' });
afterAll(async () => {
  await app.close();
  ledger.remove();
});
const { projectId = '', apiKey = '' } = ledger.made;
const now = Date.now();
const send = (path: string, init: RequestInit): Promise<Response> =>
  app.fetch(new Request(`http://ledger${path}`, init));

const sent = Array.from({ length: 1_100 }, (_, i) => ({
  kind: i % 11 === 0 ? 'tool' : 'llm',
  provider: 'openai',
  model: 'gpt-4o',
  timestamp: new Date(now - 3_600_000 + i * 1_000).toISOString(),
  input_tokens: i,
}));
for (let at = 0; at < sent.length; at += 100) {
  const events = sent.slice(at, at + 100).map((event) => JSON.stringify(event));
  const init = { method: 'POST', headers: { 'x-api-key': apiKey }, body: events.join('\n') };
  expect((await send('/v1/ingest', init)).status).toBe(202);
}
const at = (name: string): string => join(ledger.dir, name);

test('a file has what the API exports', async () => {
  const signIn = await send('/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  const { token } = (await signIn.json()) as { token: string };
  for (const [file, query] of [
    ['calls.csv', '&format=csv'],
    ['calls.ndjson', '&format=ndjson'],
    ['calls.parquet', '&format=parquet'],
  ] as const) {
    const doc = await ledger.json('events', 'export', '--calls', '-o', at(file));
    expect(doc).toEqual({ file: at(file), format: file.slice('calls.'.length), events: 1_000 });
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await send(`/v1/events/export?projectId=${projectId}${query}`, { headers });
    expect(readFileSync(at(file)).equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
  }
});

test('all kinds of events of the window, in the format that is asked for', async () => {
  const start = new Date(now - 3_600_000 + 500_000).toISOString();
  const line = ['events', 'export', '-o', at('events'), '--format', 'parquet', '--start', start];
  const { code, stdout, stderr } = await ledger.run(line);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr: `✓ 600 events are in ${at('events')}\n`,
  });
  const { buffer } = new Uint8Array(readFileSync(at('events')));
  expect(Number(parquetMetadata(buffer).num_rows)).toBe(600);
});

describe('refused', () => {
  test.each([
    [['-o', at('events.xlsx')], 2, 'error[usage]: The ending of '],
    [[], 2, 'error[usage]: --output is required'],
    [['-o', at('none/events.csv')], 2, 'error[usage]: Cannot write '],
    [['-o', at('events.csv'), '--format', 'xml'], 2, 'Allowed choices are csv, ndjson, parquet'],
    [['-o', at('events.csv'), '-p', 'nope'], 3, 'error[not_found]: '],
  ])('%j', async (words, code, message) => {
    const result = await ledger.run(['events', 'export', ...words]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});

test('an export that breaks off leaves the file of an earlier one as it was, and what had arrived beside it', async () => {
  const path = at('again.ndjson');
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes('first\n');
  };
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes('second\n');
    throw new Error('the connection was lost');
  };
  await writePieces(path, whole());
  await expect(writePieces(path, broken())).rejects.toThrow('the connection was lost');
  expect([readFileSync(path, 'utf8'), readFileSync(`${path}.part`, 'utf8')]).toEqual(['first\n', 'second\n']);
  await writePieces(path, whole());
  expect([readFileSync(path, 'utf8'), existsSync(`${path}.part`)]).toEqual(['first\n', false]);
});
