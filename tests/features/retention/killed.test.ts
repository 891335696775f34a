import { expect, test } from 'bun:test';
import { closeInterrupted, runJob } from '../../../src/core/jobs/index.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import type { Job } from '../../../src/module.ts';
import { openJobFixture } from '../../core/jobs/fixture.ts';

const NOW = Date.UTC(2026, 5, 15, 3, 10);
const OLD = NOW - 8 * 86_400_000;
const [job] = retentionModule.jobs as [Job];

/** Runs the job in a process that dies by SIGKILL once it has asked for so many slices. */
async function runAndKill(folder: string, slices: number): Promise<void> {
  const script = Bun.fileURLToPath(import.meta.resolve('./run-until-killed.ts'));
  const child = Bun.spawn([process.execPath, script, folder, String(NOW)], { stdout: 'pipe' });
  let seen = 0;
  for await (const chunk of child.stdout) {
    seen += new TextDecoder().decode(chunk).split('slice').length - 1;
    if (seen >= slices) child.kill('SIGKILL');
  }
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
}

test('a job whose process is killed repeatedly reaches the same result', async () => {
  let fixture = openJobFixture(NOW, [retentionModule]);
  await fixture.addOrganization('org', 'free');
  const scope = await fixture.addProject('p', 'org');
  await fixture.record(scope, [...Array.from({ length: 12_000 }, (_, i) => OLD - i), NOW]);
  const sums = 'SELECT sum(requests), sum(cost_nano) FROM rollup_hours';
  const { rows: before } = await fixture.run(sums);
  for (const slices of [2, 5, 9]) {
    await fixture.close(true);
    await runAndKill(fixture.folder, slices);
    fixture = openJobFixture(NOW, [retentionModule], fixture.folder);
  }
  await closeInterrupted(fixture.ctx);
  expect(await fixture.count('job_runs', "status = 'interrupted'")).toBe(3);
  expect(await fixture.count('events')).toBeLessThan(12_001);
  expect(await fixture.count('events')).toBeGreaterThan(1);

  expect((await runJob(fixture.ctx, job, 'schedule')).status).toBe('ok');
  expect((await fixture.run('SELECT ts FROM events')).rows).toEqual([[NOW]]);
  expect((await fixture.run(sums)).rows).toEqual(before);
  expect((await fixture.run('PRAGMA integrity_check')).rows).toEqual([['ok']]);
  await fixture.close();
}, 30_000);
