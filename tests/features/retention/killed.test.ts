import { expect, test } from 'bun:test';
import { eventsOf } from '../../../src/core/events/index.ts';
import { closeInterrupted, runJob } from '../../../src/core/jobs/index.ts';
import { ofProject } from '../../../src/core/tenancy/index.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import type { Job } from '../../../src/module.ts';
import { openJobFixture } from '../../core/jobs/fixture.ts';
import { storageFaults } from '../../helpers/stored-events.ts';

const NOW = Date.UTC(2026, 5, 15, 3, 10);
const OLD = NOW - 8 * 86_400_000;
const [job] = retentionModule.jobs as [Job];

/** Runs the job in a process that dies by SIGKILL once it has begun so many writes of a kind. */
async function runAndKill(folder: string, [op, writes]: readonly [string, number]): Promise<void> {
  const script = Bun.fileURLToPath(import.meta.resolve('./run-until-killed.ts'));
  const child = Bun.spawn([process.execPath, script, folder, String(NOW)], { stdout: 'pipe' });
  let seen = '';
  for await (const chunk of child.stdout) {
    seen += new TextDecoder().decode(chunk);
    if (seen.split(op).length > writes) child.kill('SIGKILL');
  }
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
}

test('a job whose process is killed repeatedly reaches the same result', async () => {
  let fixture = openJobFixture(NOW, [retentionModule]);
  await fixture.addOrganization('org', 'free');
  const scope = await fixture.addProject('p', 'org');
  // Seventy days, each of which becomes a segment.
  await fixture.record(scope, [...Array.from({ length: 10_000 }, (_, i) => OLD - i * 604_800), NOW]);
  const figures = async () => {
    const query = {
      measures: ['requests', 'cost', 'inputTokens'],
      window: { from: 0, to: 8.64e15 },
    } as const;
    return (await eventsOf(fixture.ctx).metrics(ofProject(scope), { all: query })).all;
  };
  const before = await figures();
  for (const kill of [
    ['events.segment_parts', 1],
    ['events.drop_segment', 2],
    ['events.drop_segment', 9],
  ] as const) {
    await fixture.close(true);
    await runAndKill(fixture.folder, kill);
    fixture = openJobFixture(NOW, [retentionModule], fixture.folder);
    expect(await figures()).toEqual(before);
  }
  await closeInterrupted(fixture.ctx);
  expect(await fixture.count('job_runs', "status = 'interrupted'")).toBe(3);
  expect(fixture.timesOf(scope).length).toBeLessThan(10_001);
  expect(fixture.timesOf(scope).length).toBeGreaterThan(1);

  expect((await runJob(fixture.ctx, job, 'schedule')).status).toBe('ok');
  expect(fixture.timesOf(scope)).toEqual([NOW]);
  expect(await figures()).toEqual(before);
  expect(storageFaults(fixture.ctx.db.path)).toEqual([]);
  expect((await fixture.run('PRAGMA integrity_check')).rows).toEqual([['ok']]);
  await fixture.close();
}, 30_000);
