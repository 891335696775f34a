import type { Ctx } from '../../context.ts';
import type { Job } from '../../module.ts';
import { checkBackups } from './checks/backups.ts';
import { growthPerDay, judgeDisk, judgeLog, readSizes } from './checks/disk.ts';
import { checkPermissions, checkSecret } from './checks/files.ts';
import { bad } from './checks/findings.ts';
import { checkClock, checkJobs, type Running } from './checks/jobs.ts';
import { checkDescriptors, checkTemporaryFolder } from './checks/machine.ts';
import { checkNetwork } from './checks/network.ts';
import { checkServers } from './checks/servers.ts';
import { checkDamage, checkDeliveries } from './checks/work.ts';
import type { Finding } from './contract.ts';
import { listSamples } from './measure-job.ts';

type Found = Finding | readonly Finding[] | null;

/**
 * What an operator should know of the server and its machine. Changes nothing and reads no events; the structure of the
 * file is left to a process that may take long.
 */
export async function examine(ctx: Ctx, jobs: readonly Job[], running: Running): Promise<Finding[]> {
  const checks: readonly (readonly [name: string, run: () => Found | Promise<Found>])[] = [
    ['disk', () => checkDisk(ctx)],
    ['clock', () => checkClock(ctx, jobs)],
    ['temporary folder', checkTemporaryFolder],
    ['permissions', () => checkPermissions(ctx)],
    ['secret', () => checkSecret(ctx)],
    ['backups', () => checkBackups(ctx)],
    ['jobs', () => checkJobs(ctx, jobs, running)],
    ['channels', () => checkDeliveries(ctx)],
    ['events', () => checkDamage(ctx)],
    ['servers', () => checkServers(ctx)],
    ['network', () => checkNetwork(ctx)],
    ['descriptors', () => (running === null ? null : checkDescriptors())],
  ];
  const found: Finding[] = [];
  for (const [name, run] of checks) {
    try {
      found.push(...[(await run()) ?? []].flat());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      found.push(bad(name, `This could not be checked: ${reason}`, 'Look into the log of the server'));
    }
  }
  return found;
}

async function checkDisk(ctx: Ctx): Promise<Finding[]> {
  if (ctx.db.isRemote) return [];
  const sizes = readSizes(ctx.db.path);
  const now = { at: ctx.now(), bytes: sizes.file + sizes.wal };
  return [judgeDisk(sizes, growthPerDay([...(await listSamples(ctx)), now])), judgeLog(sizes)];
}
