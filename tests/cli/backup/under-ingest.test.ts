import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { openFolder } from '../../helpers/folder.ts';
import { initLedger, runCommand, startServer } from '../../helpers/server.ts';
import { storedEvents, storedInputs } from '../../helpers/stored-events.ts';

/** `BACKUPS=50` for the long form. */
const BACKUPS = Number(process.env.BACKUPS ?? 1);
const isLong = BACKUPS > 1;
const BATCH = 100;

const p99 = (ms: readonly number[]): number =>
  Math.round([...ms].sort((a, b) => a - b)[Math.floor(ms.length * 0.99)] ?? 0);

/** A server on the restored file accepts events for the key that the backup has. */
async function serveRestored(backup: string, db: string, apiKey: string): Promise<void> {
  expect(await runCommand(['restore', backup, '--db', db])).toMatchObject({ code: 0 });
  const before = storedEvents(db).length;
  const server = await startServer(db);
  const headers = { 'x-api-key': apiKey };
  const body = JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1, output_tokens: 1 });
  expect((await fetch(`${server.url}/v1/ingest`, { method: 'POST', headers, body })).status).toBe(202);
  await server.end('SIGTERM');
  expect(storedEvents(db).length).toBe(before + 1);
}

// One sender, so that the order of acknowledgement is known.
test('each backup under ingest verifies and has exactly the first events of those acknowledged', async () => {
  const folder = openFolder();
  const db = folder.path('ledger.db');
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  // Without the limit of 1,000 requests a minute of the free plan.
  await runCommand(['orgs', 'set-plan', 'Acme', 'scale', '--db', db]);
  const server = await startServer(db);
  let [acknowledged, sent, isOver] = [0, 0, false];
  let took: number[] = [];
  const sending = (async () => {
    while (!isOver) {
      const lines = Array.from({ length: BATCH }, (_, i) =>
        JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: sent + i, output_tokens: 1 }),
      );
      sent += BATCH;
      const body = Bun.gzipSync(lines.join('\n'));
      for (let status = 0; status !== 202; ) {
        const headers = { 'x-api-key': apiKey, 'Content-Encoding': 'gzip' };
        const since = performance.now();
        const reply = await fetch(`${server.url}/v1/ingest`, { method: 'POST', headers, body });
        ({ status } = reply);
        if (status === 202) took.push(performance.now() - since);
        // A sender waits after a 429, as a client does.
        if (status === 429) await Bun.sleep(1_000 * Number(reply.headers.get('Retry-After')));
        else if (status !== 202) throw new Error(`ingest: ${status}`);
      }
      acknowledged += BATCH;
    }
  })();
  mkdirSync(folder.path('backups'));
  if (isLong) await Bun.sleep(30_000);
  const alone = p99(took);
  took = [];
  let last = '';
  for (let round = 0; round < BACKUPS; round++) {
    // Names of copies in a folder are by the second, and a small file takes less.
    const target = folder.path(`backups/${round}.db`);
    const before = acknowledged;
    const made = await runCommand(['backup', target, '--db', db, '--verify', '--json']);
    expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
    const { file } = JSON.parse(made.stdout) as { file: string };
    const stored = storedInputs(file);
    expect(stored.length).toBeGreaterThanOrEqual(before);
    expect(stored.length).toBeLessThanOrEqual(sent);
    expect(stored.length % BATCH).toBe(0);
    expect(new Set(stored)).toEqual(new Set(Array.from({ length: stored.length }, (_, i) => i)));
    if (last !== '') rmSync(last);
    last = file;
    if (isLong)
      console.log(
        `backup ${round + 1}: ${stored.length} events, in order; the log has ${statSync(`${db}-wal`).size} bytes`,
      );
  }
  isOver = true;
  await sending;
  await server.end('SIGTERM');
  // The figure depends on what else the machine does, so it is printed and not compared.
  if (isLong) console.log(`p99 of a batch: ${alone} ms before, ${p99(took)} ms during the backups`);
  await serveRestored(last, folder.path('restored.db'), apiKey);
  folder.remove();
});
