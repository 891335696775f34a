import { runJob } from '../../../src/core/jobs/index.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import { openJobFixture } from '../../core/jobs/fixture.ts';

// Runs the retention job on the file in the given folder and is killed on the way: a line for each write.
const [folder, clock] = process.argv.slice(2);
const fixture = openJobFixture(Number(clock), [retentionModule], folder);
fixture.beforeWrite = (op) => {
  process.stdout.write(`${op}\n`);
};
for (const job of retentionModule.jobs ?? []) await runJob(fixture.ctx, job, 'schedule');
