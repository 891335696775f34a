import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../src/lib/time.ts';
import { eventually } from '../helpers/eventually.ts';
import { openFolder } from '../helpers/folder.ts';
import { initLedger, type RunningServer, runJob, startServer } from '../helpers/server.ts';
import { queryFile, storageFaults, storedEvents } from '../helpers/stored-events.ts';
import { sumFaults } from '../helpers/stored-sums.ts';

// The file system under a serving ledger fails, below SQLite: see faults.c. Continuous integration has a C compiler.
const compiler = Bun.which('cc');
const folder = openFolder();
const library = folder.path('faults.so');
const control = folder.path('fault');
const db = folder.path('ledger.db');
let server: RunningServer;
let apiKey = '';

beforeAll(async () => {
  if (compiler === null) return;
  const source = join(import.meta.dir, 'faults.c');
  const { exitCode, stderr } = Bun.spawnSync([compiler, '-shared', '-fPIC', '-o', library, source, '-ldl']);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  ({ apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery'));
  server = await startServer(db, [], undefined, { LD_PRELOAD: library, FAULT_CONTROL: control });
}, 120_000);
afterAll(async () => {
  if (compiler !== null) await server.end('SIGTERM');
  folder.remove();
});

type Batch = { readonly ids: readonly string[]; readonly status: number; readonly error: string };
const sent: Batch[] = [];

/** Events of two days, so that the job that seals earlier days has work. */
async function send(): Promise<Batch> {
  const ids = Array.from({ length: 50 }, () => crypto.randomUUID());
  const lines = ids.map((event_id, i) =>
    JSON.stringify({
      event_id,
      timestamp: new Date(Date.now() - (i % 2) * DAY_MS).toISOString(),
      provider: 'openai',
      model: 'gpt-4o',
      user_id: `user-${i % 5}`,
      input_tokens: i,
    }),
  );
  const request = { method: 'POST', headers: { 'x-api-key': apiKey }, body: lines.join('\n') };
  const reply = await fetch(`${server.url}/v1/ingest`, request);
  const { error = '' } = (await reply.json()) as { error?: string };
  const batch = { ids, status: reply.status, error };
  sent.push(batch);
  return batch;
}

const seal = () => runJob(db, 'events.seal_log');

const REFUSAL = 'The database file cannot be read; try again. If it stays so, restore a backup';

// The server has just started, so that reads do reach the file.
test.skipIf(compiler === null && process.env.CI === undefined)(
  'reads fail with EIO: what is refused says why, and afterwards all works again without a restart',
  async () => {
    writeFileSync(control, 'r');
    const meanwhile = [await send(), await send()];
    // The command line puts the remedy on a line of its own.
    expect((await seal()).stderr).toContain(
      'The database file cannot be read; try again\n  fix: If it stays so',
    );
    meanwhile.push(await send());
    for (const { status, error } of meanwhile)
      if (status !== 202) expect([status, error]).toEqual([503, REFUSAL]);
    rmSync(control);
    await eventually('an accepted batch', async () => (await send()).status === 202);
    await eventually('a run of the job', async () => (await seal()).code === 0);
    await checkFile();
  },
  180_000,
);

/** `refuses`: what is sent meanwhile is refused; other faults may be overcome. */
const FAULTS = [
  { name: 'writes fail with EIO', kind: 'w', refuses: true },
  { name: 'writes fail with ENOSPC', kind: 'n', refuses: true },
  { name: 'every other write is short', kind: 's', refuses: false },
  { name: 'fsync fails with EIO', kind: 'f', refuses: true },
] as const;

test.skipIf(compiler === null && process.env.CI === undefined).each(FAULTS)(
  '$name during ingest and sealing: nothing that was acknowledged is lost, and all works again afterwards',
  async ({ kind, refuses }) => {
    expect((await send()).status).toBe(202);
    writeFileSync(control, kind);
    const meanwhile = [await send(), await send()];
    await seal();
    meanwhile.push(await send());
    for (const { status, error } of meanwhile) {
      if (refuses) expect([status, error]).toEqual([503, expect.stringContaining('nothing was stored')]);
      else expect(status).toBe(202);
    }
    rmSync(control);
    await eventually('an accepted batch', async () => (await send()).status === 202, 60_000);
    await eventually('a run of the job', async () => (await seal()).code === 0, 60_000);
    await checkFile();
  },
  180_000,
);

/** All acknowledged events are stored, once; of other batches all or nothing; and all sums match. */
async function checkFile(): Promise<void> {
  const rows = storedEvents(db);
  const stored = new Set(rows.map(({ event }) => event.event_id));
  for (const { ids, status } of sent) {
    const found = ids.filter((id) => stored.has(id)).length;
    expect(status === 202 ? [ids.length] : [0, ids.length]).toContain(found);
  }
  expect(rows.length).toBe(stored.size);
  expect([...storageFaults(db, rows), ...sumFaults(db, rows)]).toEqual([]);
  expect(queryFile(db, 'PRAGMA integrity_check')).toEqual([['ok']]);
}
