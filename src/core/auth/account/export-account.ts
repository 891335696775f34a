import { asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { formatInstant } from '../../../lib/time.ts';
import { findPerson, listMemberships } from '../queries.ts';
import { listOwnSessions } from '../sessions/own-sessions.ts';
import { accounts } from '../table.ts';
import { findTotp, listPasskeys } from '../two-factor/factors.ts';
import type { getExportEndpoint } from './contract.ts';

/** What is stored about a person: no password, secret or key. What they made belongs to their organizations. */
export async function exportAccount(
  ctx: Ctx,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<z.input<(typeof getExportEndpoint)['reply']>> {
  const [user, memberships, loginSessions, totp, passkeys, identities] = await Promise.all([
    findPerson(ctx, userId),
    listMemberships(ctx, userId),
    listOwnSessions(ctx, { userId, sessionId }),
    findTotp(ctx, userId),
    listPasskeys(ctx, userId),
    ctx.db.sql
      .select({ provider: accounts.providerId, accountId: accounts.accountId, createdAt: accounts.createdAt })
      .from(accounts)
      .where(eq(accounts.userId, userId))
      .orderBy(asc(accounts.createdAt)),
  ]);
  return {
    exportedAt: formatInstant(ctx.now()),
    user,
    memberships: memberships.map(({ organizationId, organizationName, role }) => ({
      organizationId,
      organizationName,
      role,
    })),
    loginSessions,
    signInMethods: identities.map(({ createdAt, ...row }) => ({
      ...row,
      createdAt: formatInstant(createdAt.getTime()),
    })),
    authenticatorAppSince: totp === null ? null : formatInstant(totp.createdAt.getTime()),
    passkeys: passkeys.map(({ name, createdAt }) => ({
      name,
      createdAt: formatInstant(createdAt.getTime()),
    })),
  };
}
