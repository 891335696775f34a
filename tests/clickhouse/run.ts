// Runs the conformance suite of the event store on ClickHouse, file by file: `bun run test:clickhouse` for the files that
// take seconds, `bun run test:clickhouse --all` for all, which takes long. Installs the engine first, 550 MB. What follows
// names other files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './start.ts';

const ROOT = join(import.meta.dir, '../..');
const SUITE = 'tests/event-store';
/** Of each subject that needs little time a file: receipts, changes, sums, retention, crashes. */
const SHORT = ['health', 'tag-values', 'subjects', 'ledger-days', 'rollups', 'links', 'crash'];
/** With the control plane on a libSQL server. */
const WITH_LIBSQL = ['./tests/libsql/ingest.clickhouse.ts', './tests/libsql/servers.clickhouse.ts'];
/** Events that move from a file. */
const MOVES = ['./tests/move/there-and-back.clickhouse.ts'];

const given = process.argv.slice(2);
const all = readdirSync(join(ROOT, SUITE)).filter((name) => name.endsWith('.test.ts'));
const own = given.filter((arg) => arg !== '--all');
const named = given.includes('--all')
  ? [...all.map((name) => `${SUITE}/${name}`), ...WITH_LIBSQL, ...MOVES]
  : [...SHORT.map((name) => `${SUITE}/${name}.test.ts`), ...MOVES];
const files = own.length > 0 ? own : named;

install();
let failed = 0;
for (const file of files) {
  const since = performance.now();
  const child = Bun.spawn([process.execPath, 'test', '--timeout', '900000', file], {
    cwd: ROOT,
    env: { ...process.env, EVENT_STORE: 'clickhouse' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, more, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) {
    failed++;
    console.error(said + more);
  }
  const seconds = Math.round((performance.now() - since) / 1_000);
  console.log(`${code === 0 ? 'pass' : 'FAIL'} ${file} ${seconds} s`);
}
console.log(`\n${files.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
