import { afterAll, expect, test } from 'bun:test';
import Libsql from 'libsql';
import { eventually } from '../../helpers/eventually.ts';
import { openFolder } from '../../helpers/folder.ts';
import { cliCommand, initLedger, runCommand, startServer } from '../../helpers/server.ts';

const folder = openFolder();
afterAll(() => folder.remove());
const EVENTS = 3_000;

test('an erasure that is killed at any point is finished by the next run, and every sum is right', async () => {
  const db = folder.path('killed.db');
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  const server = await startServer(db);
  for (let i = 0; i < EVENTS; i += 100) {
    const lines = Array.from({ length: 100 }, (_, k) =>
      JSON.stringify({
        provider: 'openai',
        model: 'gpt-4o',
        user_id: k % 2 ? 'gone' : 'kept',
        latency_ms: k,
        input_tokens: k,
      }),
    );
    const reply = await fetch(`${server.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      body: lines.join('\n'),
    });
    expect(reply.status).toBe(202);
  }
  await server.end('SIGTERM');

  // Killed at the first events that are gone, and when fewer are left.
  for (const share of [1, 0.7, 0.4]) {
    const child = Bun.spawn(
      [...cliCommand, 'projects', 'erase-user', 'assistant', 'gone', '--yes', '--db', db],
      {
        stdin: 'ignore',
        stdout: 'ignore',
        stderr: 'ignore',
      },
    );
    await eventually(
      'events that are gone',
      () => child.exitCode !== null || countOf(db, "user_id = 'gone'") < (share * EVENTS) / 2,
    );
    child.kill('SIGKILL');
    await child.exited;
  }
  const { code, stdout } = await runCommand([
    'projects',
    'erase-user',
    'assistant',
    'gone',
    '--yes',
    '--json',
    '--db',
    db,
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', progress: 1 });

  expect([countOf(db, "user_id = 'gone'"), countOf(db, "user_id = 'kept'")]).toEqual([0, EVENTS / 2]);
  const recount = 'count(*), total(fresh_tokens), total(round(latency_ms * 1000))';
  const rows = query(db, `SELECT ${recount} FROM events`);
  for (const table of ['rollup_hours', 'rollup_days'])
    expect(query(db, `SELECT total(requests), total(fresh_tokens), total(latency_us) FROM ${table}`)).toEqual(
      rows,
    );
  // However often it was begun: each event was counted as erased once, and each request has its receipt.
  expect(query(db, 'SELECT total(events), total(user_id IS NOT NULL) FROM erasures')).toEqual([
    [EVENTS / 2, 0],
  ]);
  const entries = (action: string) => query(db, `SELECT count(*) FROM audit_log WHERE action = '${action}'`);
  expect(entries('end_user.erased')).toEqual(entries('end_user.erasure_requested'));
  expect((await runCommand(['audit', 'verify', '--db', db])).code).toBe(0);
});

function query(db: string, sql: string): unknown[][] {
  const connection = new Libsql(db);
  try {
    connection.exec('PRAGMA busy_timeout = 2000');
    return connection.prepare(sql).raw(true).all() as unknown[][];
  } finally {
    connection.close();
  }
}
const countOf = (db: string, where: string): number =>
  Number(query(db, `SELECT count(*) FROM events WHERE ${where}`)[0]?.[0]);
