import { openReadConnection } from '../../src/db/connection.ts';

// A program: `bun until-rows.ts FILE SQL` ends when the query has a row, and fails after a minute without one.
const [file = '', sql = ''] = process.argv.slice(2);
const query = openReadConnection(file).prepare(sql).raw(true);
const until = performance.now() + 60_000;
while (query.all([]).length === 0) {
  if (performance.now() > until) process.exit(1);
  await Bun.sleep(1);
}
// Without closing, which could checkpoint and delete the log of a server that was just killed.
process.exit(0);
