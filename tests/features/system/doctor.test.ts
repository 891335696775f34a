import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { jobsOf } from '../../../src/core/jobs/index.ts';
import type { Finding } from '../../../src/features/system/contract.ts';
import { examine } from '../../../src/features/system/index.ts';
import { modules } from '../../../src/features.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { serve } from '../../../src/serve.ts';
import { openLedger } from '../../cli/ledger.ts';

let ledger: Awaited<ReturnType<typeof openLedger>>;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.remove());

type Doctor = { code: number; ok: boolean; serving: boolean | null; findings: Finding[] };

/** Runs the command; a port of 0 is free. */
async function doctor(
  env: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
): Promise<Doctor> {
  const { code, stdout } = await ledger.run(['doctor', '--fast', '--json', ...words], {
    env: { DATABASE_URL: `file:${ledger.path}`, PORT: '0', ...env },
  });
  return { code, ...(JSON.parse(stdout) as Omit<Doctor, 'code'>) };
}

const troubles = ({ findings }: Doctor): string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ check, level }) => `${check}: ${level}`);

function write(sql: string): void {
  const connection = new Libsql(ledger.path);
  connection.exec(sql);
  connection.close();
}

describe('doctor without a server', () => {
  test('finds nothing wrong with a new file, and reads every page of it', async () => {
    const found = await doctor();
    expect([found.code, found.ok, found.serving]).toEqual([0, true, false]);
    expect(troubles(found)).toEqual(['server: warn', 'backups: warn']);
    const whole = await ledger.run(['doctor'], { env: { DATABASE_URL: `file:${ledger.path}`, PORT: '0' } });
    expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining('its pages are in order')]);
  });

  test('names each problem with its fix, and exits with 1', async () => {
    const secret = `${ledger.path}.secret`;
    const backups = join(ledger.dir, 'old');
    mkdirSync(backups);
    writeFileSync(join(backups, 'spanledger-20260101T000000Z.db'), '');
    chmodSync(secret, 0o644);
    const started = Date.now() + 24 * HOUR_MS;
    write(`INSERT INTO job_runs (id, job, trigger, started_at, status, result)
      VALUES ('r1', 'events.purge_expired', 'schedule', 1, 'ok', '{}'),
             ('r2', 'system.measure', 'schedule', ${started}, 'failed', '{"error":"no such table"}')`);
    write(`INSERT INTO channels (id, organization_id, name, kind, target, settings, enabled, types, disabled_reason, created_at, updated_at)
      SELECT 'c1', id, 'on-call', 'webhook', 'hooks.example.com', '{}', 0, '[]', 'gone', 1, 1 FROM organizations`);
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
    const found = await doctor({ BACKUP_TO: backups, PORT: String(taken.port), HOST: '127.0.0.1' });
    taken.stop();
    expect(found.code).toBe(1);
    expect(troubles(found)).toEqual([
      'server: bad',
      'clock: bad',
      'permissions: bad',
      'backups: bad',
      'jobs: bad',
      'channels: bad',
    ]);
    for (const { level, fix } of found.findings) expect(fix === null).toBe(level === 'ok');
    const texts = JSON.stringify(found.findings);
    for (const part of ['chmod 600', 'no such table', 'on-call', 'backup.copy', 'timedatectl'])
      expect(texts).toContain(part);
    chmodSync(secret, 0o600);
    write("DELETE FROM job_runs WHERE id IN ('r1', 'r2'); DELETE FROM channels");
  });

  test('exits with 6 for a missing, an empty and a damaged file, and makes none', async () => {
    const missing = await doctor({}, ['--db', join(ledger.dir, 'none.db')]);
    expect([missing.code, troubles(missing)]).toEqual([6, ['file: bad']]);
    const empty = join(ledger.dir, 'empty.db');
    writeFileSync(empty, '');
    expect((await doctor({}, ['--db', empty])).code).toBe(6);
    const damaged = join(ledger.dir, 'damaged.db');
    copyFileSync(ledger.path, damaged);
    const connection = new Libsql(damaged);
    connection.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'users'",
    );
    connection.close();
    const { code, stdout } = await ledger.run(['doctor', '--db', damaged]);
    expect([code, stdout]).toEqual([6, expect.stringContaining('fix:')]);
    for (const path of [empty, damaged]) rmSync(path);
  });
});

test('a running server examines itself: its settings, a proxy that nobody named, jobs that did not run', async () => {
  const env = {
    DATABASE_URL: `file:${ledger.path}`,
    LOG_LEVEL: 'silent',
    HOST: '0.0.0.0',
    BACKUP_TO: '/none',
  };
  const app = openApp({ config: loadConfig({ env }).values, mode: 'command' });
  const server = serve(app, { host: '127.0.0.1', port: 0 });
  try {
    await fetch(`${server.url}/healthz`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    const found = await doctor();
    expect([found.code, found.serving]).toEqual([1, true]);
    // Nothing runs jobs here, and the process of the tests may be older than the time that they may be late.
    const withoutJobs = troubles(found).filter((trouble) => trouble !== 'jobs: warn');
    expect(withoutJobs).toEqual(['backups: bad', 'network: warn', 'proxy: warn']);
    expect(found.findings[1]).toMatchObject({ check: 'server', level: 'ok' });
    const since = Date.now() - 3 * HOUR_MS;
    const later = await examine(app.ctx, jobsOf(modules), { since });
    expect(later.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('system.measure did not run'),
    );
  } finally {
    await server.stop();
  }
});
