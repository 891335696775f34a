import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { eventsOf } from '../../core/events/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { unavailable } from '../../errors.ts';
import type { Module } from '../../module.ts';
import { aliveEndpoint, readyEndpoint } from './contract.ts';

const OK = { status: 'ok' } as const;

const alive = route(aliveEndpoint, () => OK);

/** Less free space than a log of some commits needs is a disk that is about to be full. */
const LEAST_FREE_BYTES = 4 * 1024 * 1024;

/** Takes the write lock and commits nothing: 503 while the store can't be written, or has no room left. */
const ready = route(readyEndpoint, async (ctx) => {
  const { bavail, bsize } = statfsSync(dirname(ctx.db.path));
  if (bavail * bsize < LEAST_FREE_BYTES) throw unavailable('The disk is full', 1);
  await eventsOf(ctx).health();
  return OK;
});

export const healthModule: Module = { name: 'health', routes: [alive, ready] };
