import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import Libsql from 'libsql';
import { openRemoteLedger, type RemoteLedger, TOKEN } from './ledger.ts';

const CLIENT = join(import.meta.dir, 'audit-client.ts');
const CHANGES = 30;

let ledger: RemoteLedger;
beforeAll(async () => {
  ledger = await openRemoteLedger();
}, 120_000);
afterAll(() => ledger.close());

type Entry = { seq: number; before: string; after: string };

test('two clients make 60 audited changes at the same time: the chain is intact, and each state is what was left before', async () => {
  const { organizationId } = await ledger.init();
  const clients = [1, 2].map(() =>
    Bun.spawn([process.execPath, CLIENT, ledger.server.url, TOKEN, organizationId, String(CHANGES)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(clients.map(({ stdout }) => stdout.getReader().read()));
  for (const { stdin } of clients) {
    stdin.write('go\n');
    stdin.end();
  }
  expect(await Promise.all(clients.map(({ exited }) => exited))).toEqual([0, 0]);
  const verified = await ledger.command(['audit', 'verify', '--json']);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true });
  const file = new Libsql(ledger.server.file);
  const entries = file
    .prepare("SELECT seq, before, after FROM audit_log WHERE action = 'organization.renamed' ORDER BY seq")
    .all([]) as Entry[];
  file.close();
  expect(entries).toHaveLength(2 * CHANGES);
  expect(entries.map(({ seq }, i) => seq - i)).toEqual(entries.map(() => entries[0]?.seq ?? 0));
  for (const [i, { before }] of entries.entries())
    if (i > 0) expect(before).toBe(entries[i - 1]?.after as string);
  // They took turns, rather than one after the other.
  const writers = entries.map(({ after }) => after.split(' ')[0]);
  expect(writers.filter((writer, i) => i > 0 && writer !== writers[i - 1]).length).toBeGreaterThan(2);
}, 120_000);
