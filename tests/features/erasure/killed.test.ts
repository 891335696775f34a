import { afterAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/lib/time.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openFolder } from '../../helpers/folder.ts';
import { cliCommand, initLedger, runCommand, startServer } from '../../helpers/server.ts';
import { queryFile, storageFaults, storedEvents } from '../../helpers/stored-events.ts';
import { sumFaults } from '../../helpers/stored-sums.ts';

const folder = openFolder();
afterAll(() => folder.remove());
const EVENTS = 3_000;
/** Each is a segment, which is erased at once. */
const DAYS = 20;

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
        timestamp: new Date(Date.now() - ((k >> 1) % DAYS) * DAY_MS).toISOString(),
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
      () => child.exitCode !== null || countOf(db) < EVENTS / 2 + (share * EVENTS) / 2,
      60_000,
    );
    child.kill('SIGKILL');
    await child.exited;
  }
  const { code, stdout, stderr } = await runCommand([
    'projects',
    'erase-user',
    'assistant',
    'gone',
    '--yes',
    '--json',
    '--db',
    db,
  ]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', progress: 1 });

  const left = storedEvents(db).map(({ event }) => event.user_id);
  expect([left.length, new Set(left)]).toEqual([EVENTS / 2, new Set(['kept'])]);
  expect([...storageFaults(db), ...sumFaults(db)]).toEqual([]);
  // However often it was begun: each event was counted as erased once, and each request has its receipt.
  expect(queryFile(db, 'SELECT total(events), total(user_id IS NOT NULL) FROM erasures')).toEqual([
    [EVENTS / 2, 0],
  ]);
  const entries = (action: string) =>
    queryFile(db, `SELECT count(*) FROM audit_log WHERE action = '${action}'`);
  expect(entries('end_user.erased')).toEqual(entries('end_user.erasure_requested'));
  expect((await runCommand(['audit', 'verify', '--db', db])).code).toBe(0);
});

/** Stored events, without decoding them. */
const countOf = (db: string): number =>
  Number(
    queryFile(
      db,
      'SELECT (SELECT total(events) FROM event_segments WHERE ready = 1) + (SELECT total(events) FROM event_log)',
    )[0]?.[0],
  );
