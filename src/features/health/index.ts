import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { listService } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { unavailable } from '../../errors.ts';
import { forwardedNotice } from '../../http/forwarded-notice.ts';
import type { Module } from '../../module.ts';
import { aliveEndpoint, readyEndpoint } from './contract.ts';
import { noticesAction } from './notices.ts';

const OK = { status: 'ok' } as const;

const alive = route(aliveEndpoint, () => OK);

/** Minimum free disk space: room for the write-ahead log of a few commits. */
const LEAST_FREE_BYTES = 4 * 1024 * 1024;

/** Takes the write lock and commits nothing. 503 if the store cannot write or the disk is almost full. */
const ready = route(readyEndpoint, async (ctx) => {
  const problem = ctx.servers?.problem() ?? null;
  if (problem !== null) throw unavailable(problem, 1);
  if (!ctx.db.isRemote) checkFreeSpace(ctx.db.path);
  await eventsOf(ctx).health();
  return OK;
});

function checkFreeSpace(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < LEAST_FREE_BYTES) throw unavailable('The disk is full', 1);
}

export const healthModule: Module = {
  name: 'health',
  routes: [alive, ready],
  actions: [noticesAction],
  services: [listService(forwardedNotice)],
};
