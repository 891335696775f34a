import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { cliCommand } from '../../helpers/server.ts';
import { openLedger } from '../ledger.ts';
import { openS3, type S3StandIn } from './s3-stand-in.ts';

let ledger: Awaited<ReturnType<typeof openLedger>>;
let s3: S3StandIn;
beforeAll(async () => {
  ledger = await openLedger();
  s3 = openS3();
  // Larger than a part of an upload.
  const connection = new Libsql(ledger.path);
  connection.exec(`INSERT INTO job_runs (id, job, trigger, started_at, status, result)
    VALUES ('large', 'none', 'manual', 1, 'ok', json_object('pad', hex(zeroblob(9000000))))`);
  connection.close();
});
afterAll(() => {
  s3.close();
  ledger.remove();
});

const run = (...words: string[]) =>
  ledger.run([...words, '--json'], { env: { DATABASE_URL: `file:${ledger.path}`, ...s3.env } });
const keys = (): string[] => [...s3.objects.keys()].sort();
/** Nothing of a copy that was sent stays beside the file. */
const leftovers = (): string[] =>
  readdirSync(ledger.dir).filter((name) => /sending|download|part/.test(name));

describe('a backup in a bucket', () => {
  test('goes there in parts with its secret, and is restored from there', async () => {
    const passphrase = join(ledger.dir, 'passphrase');
    writeFileSync(passphrase, 'twelve letters');
    const made = await run('backup', 's3://bucket/ledger/', '--passphrase-file', passphrase);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { file, bytes } = JSON.parse(made.stdout) as { file: string; bytes: number };
    const key = file.slice('s3://'.length);
    expect(keys()).toEqual([key, `${key}.secret.sealed`]);
    expect(s3.objects.get(key)?.length).toBe(bytes);
    expect(s3.requests.filter((line) => line.includes('partNumber=')).length).toBeGreaterThan(1);
    const to = join(ledger.dir, 'restored.db');
    const restored = await run('restore', 's3://bucket/ledger/', '--db', to, '--passphrase-file', passphrase);
    expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(restored.stdout)).toMatchObject({
      problems: [],
      secret: true,
      from: 's3://bucket/ledger/',
    });
    expect(readFileSync(`${to}.secret`, 'utf8')).toBe(readFileSync(`${ledger.path}.secret`, 'utf8'));
    expect(leftovers()).toEqual([]);
  });

  test('that fails in the middle leaves no object, and says what to check', async () => {
    const before = keys();
    s3.failingPart = 2;
    const failed = await run('backup', 's3://bucket/ledger/failed.db');
    s3.failingPart = 0;
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('AWS_ENDPOINT_URL')]);
    expect(keys()).toEqual(before);
    expect(s3.requests.findLast((line) => line.includes('uploadId='))).toMatch(/^DELETE /);
    expect(leftovers()).toEqual([]);
  });

  test('keeps what the rule says, and other objects', async () => {
    const old = 'bucket/kept/spanledger-20200101T000000Z.db';
    for (const key of [old, `${old}.secret.sealed`, 'bucket/kept/mine.db'])
      s3.objects.set(key, new Uint8Array(1));
    const made = await run('backup', 's3://bucket/kept/', '--keep', '24h');
    expect(made.code).toBe(0);
    expect(keys().filter((key) => key.startsWith('bucket/kept/'))).toEqual([
      'bucket/kept/mine.db',
      expect.stringMatching(/spanledger-202[6-9]/),
    ]);
  });

  test('is never overwritten, needs credentials, and is named when it is not there', async () => {
    s3.objects.set('bucket/mine.db', new Uint8Array(1));
    expect((await run('backup', 's3://bucket/mine.db')).code).toBe(5);
    expect(s3.objects.get('bucket/mine.db')?.length).toBe(1);
    const none = await ledger.run(['backup', 's3://bucket/x/']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('AWS_ACCESS_KEY_ID')]);
    const to = join(ledger.dir, 'none.db');
    expect((await run('restore', 's3://bucket/nothing/', '--db', to)).code).toBe(3);
    expect((await run('restore', 's3://bucket/nothing.db', '--db', to)).code).toBe(3);
    s3.objects.set('bucket/damaged.db', new TextEncoder().encode('no database '.repeat(1_000)));
    expect((await run('restore', 's3://bucket/damaged.db', '--db', to)).code).toBe(6);
    expect(existsSync(to)).toBe(false);
    expect(leftovers()).toEqual([]);
  });
});

test('a backup on standard output has the bytes of a file that verifies', async () => {
  const child = Bun.spawn([...cliCommand, 'backup', '-', '--db', ledger.path], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const bytes = await new Response(child.stdout).bytes();
  expect(await child.exited).toBe(0);
  const copy = join(ledger.dir, 'piped.db');
  writeFileSync(copy, bytes);
  expect(await ledger.json('verify', copy)).toMatchObject({ ok: true });
  expect((await run('backup', '-')).code).toBe(2);
  expect((await run('backup', '-', '--keep', '24h')).code).toBe(2);
  expect(leftovers()).toEqual([]);
});

test('a backup on standard output that does not arrive whole fails', async () => {
  const backup = (stdout: 'pipe' | Bun.BunFile) =>
    Bun.spawn([...cliCommand, 'backup', '-', '--db', ledger.path], { stdout, stderr: 'pipe' });
  const onFullDisk = backup(Bun.file('/dev/full'));
  expect(await new Response(onFullDisk.stderr).text()).toContain('error[disk_full]');
  expect(await onFullDisk.exited).toBe(1);
  const unread = backup('pipe');
  await (unread.stdout as ReadableStream).cancel();
  expect(await new Response(unread.stderr).text()).toContain('error[backup_incomplete]');
  expect(await unread.exited).toBe(1);
  expect(leftovers()).toEqual([]);
});
