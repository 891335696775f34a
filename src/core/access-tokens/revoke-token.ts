import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { TokenRow } from './contract.ts';
import { tokenSubject } from './subject.ts';
import { accessTokens } from './table.ts';
import { accessTokensChanged } from './tokens-changed.ts';

/** Revokes a token, which is refused from the next request on. Revoking it again has no effect. */
export async function revokeToken(
  ctx: Ctx,
  actor: Actor,
  { id, organizationId, projectId }: TokenRow,
): Promise<void> {
  const revoke = ctx.db.sql
    .update(accessTokens)
    .set({ revokedAt: new Date(ctx.now()) })
    .where(and(eq(accessTokens.id, id), isNull(accessTokens.revokedAt)));
  await commitChange(ctx, actor, {
    statements: [revoke],
    audit: [{ action: 'access_token.revoked', organizationId, projectId, subject: { of: tokenSubject, id } }],
  });
  ctx.emit(accessTokensChanged);
}
