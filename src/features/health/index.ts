import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { eventsOf } from '../../core/events/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import { unavailable } from '../../errors.ts';
import type { Module } from '../../module.ts';

const statusSchema = z.object({ status: z.literal('ok') });

const alive = defineRoute({
  method: 'GET',
  path: '/healthz',
  auth: 'none',
  summary: 'Whether the process serves',
  reply: statusSchema,
  handler: () => ({ status: 'ok' }),
});

/** Less free space than a log of some commits needs is a disk that is about to be full. */
const LEAST_FREE_BYTES = 4 * 1024 * 1024;

/** Takes the write lock and commits nothing: 503 while the store can't be written, or has no room left. */
const ready = defineRoute({
  method: 'GET',
  path: '/readyz',
  auth: 'none',
  summary: 'Whether the process can also write',
  reply: statusSchema,
  handler: async (ctx) => {
    const { bavail, bsize } = statfsSync(dirname(ctx.db.path));
    if (bavail * bsize < LEAST_FREE_BYTES) throw unavailable('The disk is full', 1);
    await eventsOf(ctx).health();
    return { status: 'ok' };
  },
});

export const healthModule: Module = { name: 'health', routes: [alive, ready] };
