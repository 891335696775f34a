import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { brokenConstraint } from '../../db/constraint.ts';
import { conflict } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { newKey } from './api-key.ts';
import { keysChanged } from './keys-changed.ts';
import { findKey } from './queries.ts';
import { keySubject } from './subject.ts';
import { apiKeys } from './table.ts';

/** Grace period in which the previous key is still accepted. */
const GRACE_MS = 24 * 3_600_000;

/** `keys.rotate`: a new key replaces an active one, which stays valid for exactly 24 hours, or until it expires. */
export const rotateKey = defineAction({
  name: 'keys.rotate',
  input: z.object({ id: z.string().min(1) }),
  run: async (ctx, { id }, actor) => {
    const previous = await findKey(ctx, id);
    if (previous.revokedAt !== null) throw conflict(`The key ${id} is revoked; create a new one`);
    if (previous.rotatedTo !== null)
      throw conflict(`The key ${id} was already rotated; rotate ${previous.rotatedTo}`);
    const expiresAt = previous.validUntil?.getTime() ?? null;
    if (expiresAt !== null && expiresAt <= ctx.now())
      throw conflict(`The key ${id} has expired; create a new one`);
    const createdBy = actor.kind === 'user' ? actor.userId : null;
    const { projectId, organizationId, name } = previous;
    const { apiKey, row } = await newKey(ctx, {
      projectId,
      name,
      createdBy,
      // As long as the previous key was to live.
      validUntil: expiresAt === null ? null : new Date(ctx.now() + expiresAt - previous.createdAt.getTime()),
    });
    const validUntil = Math.min(ctx.now() + GRACE_MS, expiresAt ?? Number.POSITIVE_INFINITY);
    // Null, which creates no new key, if the key was rotated or revoked since it was read.
    const stillActive = sql<string>`(SELECT project_id FROM api_keys WHERE id = ${id} AND rotated_to IS NULL AND revoked_at IS NULL)`;
    try {
      await commitChange(ctx, actor, {
        statements: [
          ctx.db.sql.insert(apiKeys).values({ ...row, projectId: stillActive }),
          ctx.db.sql
            .update(apiKeys)
            .set({ validUntil: new Date(validUntil), rotatedTo: row.id })
            .where(eq(apiKeys.id, id)),
        ],
        audit: [
          { action: 'project.api_key_rotated', organizationId, projectId, subject: { of: keySubject, id } },
        ],
      });
    } catch (error) {
      if (brokenConstraint(error) === null) throw error;
      throw conflict(`The key ${id} was just rotated or revoked`);
    }
    ctx.emit(keysChanged);
    return { id: row.id, apiKey, previousId: id, previousValidUntil: formatInstant(validUntil) };
  },
});
