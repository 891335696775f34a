import { and, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import { findKey } from './queries.ts';
import { apiKeys } from './table.ts';

/** `keys.revoke`: the key is refused from the next request on. Revoking it again changes nothing. */
export const revokeKey = defineAction({
  name: 'keys.revoke',
  input: z.object({ id: z.string().min(1) }),
  run: async (ctx, { id }) => {
    const { revokedAt } = await findKey(ctx, id);
    const at = revokedAt?.getTime() ?? ctx.now();
    await ctx.db.sql
      .update(apiKeys)
      .set({ revokedAt: new Date(at) })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
    ctx.signals.emit('keys.changed');
    return { id, revokedAt: formatInstant(at) };
  },
});
