import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openFolder } from '../helpers/folder.ts';
import { openLedger } from './ledger.ts';

const ledger = await openLedger();
const folder = openFolder();
/** Refuses every password, as ClickHouse does. */
const refusing = Bun.serve({
  port: 0,
  fetch: () =>
    new Response('Code: 516. DB::Exception: writer: Authentication failed. (AUTHENTICATION_FAILED)', {
      status: 403,
      headers: { 'X-ClickHouse-Exception-Code': '516' },
    }),
});
afterAll(async () => {
  await refusing.stop(true);
  ledger.remove();
  folder.remove();
});

const FROM = `file:${ledger.path}`;
const TO = `clickhouse://writer@127.0.0.1:${refusing.port}/events`;
/** Nothing listens there. */
const NOWHERE = 'clickhouse://writer@127.0.0.1:1/events';

test('both places are needed, and one of each kind', async () => {
  expect((await ledger.run(['move', '--from', FROM])).code).toBe(2);
  const files = await ledger.run(['move', '--from', FROM, '--to', 'file:other.db']);
  expect([files.code, files.stderr]).toEqual([2, expect.stringContaining('Both places are files')]);
  const other = await ledger.run(['move', '--from', FROM, '--to', 'postgres://host/db']);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('neither a file nor ClickHouse')]);
});

test('a password in the address is refused and not printed', async () => {
  const to = 'clickhouse://writer:geheim@127.0.0.1:8123/events';
  const { code, stdout, stderr } = await ledger.run(['move', '--from', FROM, '--to', to]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('EVENTS_PASSWORD')]);
  expect(stdout + stderr).not.toContain('geheim');
});

test('a file that is not there, a server that is not there and a wrong password are told, and nothing is noted', async () => {
  const missing = await ledger.run(['move', '--from', `file:${folder.path('none.db')}`, '--to', TO]);
  expect([missing.code, missing.stderr]).toEqual([6, expect.stringContaining('There is no database at')]);
  for (const more of [['--plan'], []]) {
    const away = await ledger.run(['move', '--from', FROM, '--to', NOWHERE, ...more]);
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('cannot be reached')]);
    const refused = await ledger.run(['move', '--from', FROM, '--to', TO, ...more]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/refused the user or the password[\s\S]*fix: .*EVENTS_PASSWORD/),
    ]);
  }
  expect(existsSync(`${ledger.path}.move`)).toBe(false);
});

test('a file that is damaged is refused with its exit code, and nothing is noted', async () => {
  const path = folder.path('cut.db');
  copyFileSync(ledger.path, path);
  writeFileSync(path, readFileSync(path).subarray(0, 9_000));
  const { code } = await ledger.run(['move', '--from', `file:${path}`, '--to', TO]);
  expect(code).toBe(6);
  expect(existsSync(`${path}.move`)).toBe(false);
});

const noteMove = (state: 'copying' | 'done', to = TO): void =>
  writeFileSync(
    `${ledger.path}.move`,
    JSON.stringify({ id: 'one', to, state, at: '2026-11-23T10:00:00.000Z' }),
  );

test('a file whose events were moved is refused without EVENTS_URL, by reports and by the server', async () => {
  noteMove('done');
  for (const words of [
    ['report', 'costs'],
    ['serve', '--port', '0'],
  ]) {
    const { code, stderr } = await ledger.run(words);
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(
        `were moved to ${TO} at 2026-11-23T10:00:00.000Z\n  fix: Set EVENTS_URL to ${TO}, or delete`,
      ),
    ]);
  }
  const elsewhere = await ledger.run(['move', '--from', FROM, '--to', NOWHERE]);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([5, expect.stringContaining('were moved to')]);
  rmSync(`${ledger.path}.move`);
  expect((await ledger.run(['report', 'costs'])).code).toBe(0);
});

test('a move that has begun goes to the same place, and the file is used meanwhile', async () => {
  noteMove('copying', NOWHERE);
  const { code, stderr } = await ledger.run(['move', '--from', FROM, '--to', TO]);
  expect([code, stderr]).toEqual([5, expect.stringContaining(`to ${NOWHERE} has begun`)]);
  expect((await ledger.run(['report', 'costs'])).code).toBe(0);
  writeFileSync(`${ledger.path}.move`, 'no note');
  expect((await ledger.run(['report', 'costs'])).code).toBe(5);
  rmSync(`${ledger.path}.move`);
});

test('the way back needs a new file, and the file with everything else', async () => {
  const back = (...words: readonly string[]) => ledger.run(['move', '--from', TO, ...words]);
  const taken = await back('--to', FROM);
  expect([taken.code, taken.stderr]).toEqual([5, expect.stringContaining('already exists')]);
  const to = `file:${folder.path('new.db')}`;
  const alone = await back('--to', to, '--db', folder.path('none.db'));
  expect([alone.code, alone.stderr]).toEqual([6, expect.stringContaining('everything but the events')]);
  const dropped = await back('--to', to, '--drop-source');
  expect([dropped.code, dropped.stderr]).toEqual([2, expect.stringContaining('--drop-source')]);
  const remote = await back('--to', to, '--db', 'libsql://ledger.internal');
  expect([remote.code, remote.stderr]).toEqual([2, expect.stringContaining('libSQL server')]);
  for (const more of [['--plan'], []]) {
    const refused = await back('--to', to, ...more);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('refused the user')]);
  }
  expect(existsSync(folder.path('new.db'))).toBe(false);
  const engines = await back('--to', NOWHERE);
  expect([engines.code, engines.stderr]).toEqual([2, expect.stringContaining('Both places are ClickHouse')]);
});

test('a file that is no unfinished move is not written to', async () => {
  const to = folder.path('other.db');
  expect((await ledger.run(['backup', `${to}.part`])).code).toBe(0);
  const before = readFileSync(`${to}.part`);
  const engine = Bun.serve({ port: 0, fetch: () => new Response('') });
  const from = `clickhouse://writer@127.0.0.1:${engine.port}/events`;
  const { code, stderr } = await ledger.run(['move', '--from', from, '--to', `file:${to}`]);
  await engine.stop(true);
  expect([code, stderr]).toEqual([5, expect.stringContaining('is not an unfinished move')]);
  expect(readFileSync(`${to}.part`).equals(before)).toBe(true);
});

test('a backup of a file whose events were moved says where they are', async () => {
  const backup = async (...words: string[]): Promise<{ eventsIn: unknown; stderr: string }> => {
    const { code, stdout, stderr } = await ledger.run([
      ...['backup', `${ledger.path}.${crypto.randomUUID()}.db`, '--json'],
      ...words,
    ]);
    expect(code).toBe(0);
    return { eventsIn: (JSON.parse(stdout) as { eventsIn: unknown }).eventsIn, stderr };
  };
  expect(await backup()).toEqual({ eventsIn: null, stderr: expect.not.stringContaining('events') });
  noteMove('done');
  expect(await backup()).toEqual({
    eventsIn: TO,
    stderr: expect.stringContaining(`The events are not in this backup but in ${TO}: back that up too`),
  });
  rmSync(`${ledger.path}.move`);
});

test('Ctrl-C stops a move, which is told and no error', async () => {
  const engine = Bun.serve({
    port: 0,
    async fetch() {
      stop('SIGINT');
      return new Response('');
    },
  });
  let stop: (signal: 'SIGINT') => void = () => {};
  const to = `clickhouse://writer@127.0.0.1:${engine.port}/events`;
  const { code, stderr } = await ledger.run(['move', '--from', FROM, '--to', to], {
    onStop: (given) => {
      let isStopped = false;
      stop = (signal) => {
        // The second one would end the process.
        if (!isStopped) given(signal);
        isStopped = true;
      };
    },
  });
  await engine.stop(true);
  expect([code, stderr]).toEqual([130, expect.stringContaining('the same command goes on from here')]);
  expect(stderr).not.toContain('error[');
  expect(existsSync(`${ledger.path}.move`)).toBe(false);
});
