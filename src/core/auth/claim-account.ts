import { and, eq, ne, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Ctx } from '../../context.ts';
import { isUnconfirmed, renewMemberships, updateUser } from '../orgs/index.ts';
import { sessions } from './table.ts';
import { hasFactorNow } from './two-factor/factors.ts';

/**
 * Statements for a change by which somebody proves that an account's address is theirs. While the address is not
 * confirmed, anybody may have signed up with it, so everything that opens the account ends: every row that a table with
 * `scope: 'user'` has for it, such as passwords, identities and login sessions, and its access tokens. A confirmed account
 * keeps them. The last statement confirms the address. The caller emits `organizationsChanged`.
 * @param options.keepSession a login session of the same person, who then is who signed up: only other sessions end
 * @param options.at epoch milliseconds, or SQL that makes the change fail (`whileValid`)
 */
export function claimAccount(
  ctx: Ctx,
  userId: string,
  { keepSession, at = ctx.now() }: { keepSession?: string | undefined; at?: number | SQL<number> } = {},
): BatchItem<'sqlite'>[] {
  const unclaimed = isUnconfirmed(userId);
  const end =
    keepSession === undefined
      ? [
          ...everyWayIn(ctx).map((way) =>
            ctx.db.sql.delete(way).where(and(eq(way.userId, userId), unclaimed)),
          ),
          renewMemberships(ctx, userId, unclaimed),
        ]
      : [
          ctx.db.sql
            .delete(sessions)
            .where(and(eq(sessions.userId, userId), ne(sessions.id, keepSession), unclaimed)),
        ];
  const updatedAt = typeof at === 'number' ? new Date(at) : at;
  const secondFactor = hasFactorNow(userId);
  return [...end, updateUser(ctx, userId, { emailVerified: true, secondFactor, updatedAt })];
}

/** The tables with rows of a person, besides the person. Two modules may not name each other's tables; this names none. */
const everyWayIn = (ctx: Ctx) =>
  ctx.tables.flatMap(({ name, scope, by }) =>
    scope === 'user' && by !== undefined && name !== 'users' ? [sqliteTable(name, { userId: text(by) })] : [],
  );
