import { z } from 'zod';
import { defineRoute } from '../../http/route.ts';
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

/** Takes the write lock and commits nothing: 503 while the store can't be written. */
const ready = defineRoute({
  method: 'GET',
  path: '/readyz',
  auth: 'none',
  summary: 'Whether the process can also write',
  reply: statusSchema,
  handler: async (ctx) => {
    await ctx.db.writer.write('sql', [{ sql: 'SELECT 1', args: [] }]);
    return { status: 'ok' };
  },
});

export const healthModule: Module = { name: 'health', routes: [alive, ready] };
