import { openReadConnection } from '../../src/db/connection.ts';

// A program: `bun until-rows.ts FILE SQL [PID]` ends when the query has a row, and fails after a minute without one. It
// kills the process PID then, which comes within what lasts some milliseconds only.
const [file = '', sql = '', pid] = process.argv.slice(2);
const query = openReadConnection(file).prepare(sql).raw(true);
const until = performance.now() + 60_000;
while (query.all([]).length === 0) {
  if (performance.now() > until) process.exit(1);
  await Bun.sleep(1);
}
if (pid !== undefined) process.kill(Number(pid), 'SIGKILL');
// Without closing, which could checkpoint and delete the log of a server that was just killed.
process.exit(0);
