import { and, eq, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { keysChanged } from './keys-changed.ts';
import { findKey } from './queries.ts';
import { keySubject } from './subject.ts';
import { apiKeys } from './table.ts';

/** `keys.revoke`: the key is refused from the next request on. Revoking it again has no effect. */
export const revokeKey = defineAction({
  name: 'keys.revoke',
  input: z.object({ id: z.string().min(1) }),
  run: async (ctx, { id }, actor) => {
    const { revokedAt, projectId, organizationId } = await findKey(ctx, id);
    const at = revokedAt?.getTime() ?? ctx.now();
    const revoke = ctx.db.sql
      .update(apiKeys)
      .set({ revokedAt: new Date(at) })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
    await commitChange(ctx, actor, {
      statements: [revoke],
      audit: [
        { action: 'project.api_key_revoked', organizationId, projectId, subject: { of: keySubject, id } },
      ],
    });
    ctx.emit(keysChanged);
    return { id, revokedAt: formatInstant(at) };
  },
});
