import { and, eq, ne } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import type { Actor } from '../../../module.ts';
import { type AuditNote, commitChange } from '../../audit/index.ts';
import { type Mail, mailRequested } from '../../mail/index.ts';
import { userSubject } from '../../orgs/index.ts';
import { outboxStatement, outboxWritten } from '../../outbox/index.ts';
import type { LoginSession } from '../../tenancy/index.ts';
import { personNotes } from '../journal/person-notes.ts';
import { authOf } from '../service.ts';
import { recoveryCodes, sessions } from '../table.ts';
import { hasFactor, hasFactorNow, noteFactor } from './factors.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/** A change of somebody's factors, with its audit action and the mail about it. */
type FactorChange = {
  readonly statements: readonly BatchItem<'sqlite'>[];
  readonly note: PersonNote;
  readonly mail: Mail;
};

/** An audit note without the organizations that see it. */
export type PersonNote = Pick<AuditNote, 'action' | 'subject'>;

/** The note of a change to a person. */
export const personNote = (action: string, userId: string): PersonNote => ({
  action,
  subject: { of: userSubject, id: userId },
});

/** Commits a change with its audit entry and mail. Without any factor left, the recovery codes go too. */
export async function changeFactors(
  ctx: Ctx,
  { actor, userId }: { actor: Actor; userId: string },
  { statements, note, mail }: FactorChange,
): Promise<void> {
  const isWithout = and(eq(recoveryCodes.userId, userId), eq(hasFactorNow(userId), 0));
  await commitChange(ctx, actor, {
    statements: [
      ...statements,
      ctx.db.sql.delete(recoveryCodes).where(isWithout),
      noteFactor(ctx, userId),
      outboxStatement(ctx, mailRequested, mail),
    ],
    audit: await personNotes(ctx, userId, note),
  });
  ctx.emit(outboxWritten);
  authOf(ctx).sessions.dropAll();
}

/**
 * Adds a factor. The first one brings recovery codes and ends the person's other login sessions, which began without it.
 * @returns the codes; null if this is not the first factor
 */
export async function addFactor(
  ctx: Ctx,
  { actor, session: { userId, sessionId } }: { actor: Actor; session: LoginSession },
  change: FactorChange,
): Promise<string[] | null> {
  const isFirst = !(await hasFactor(ctx, userId));
  const made = isFirst ? newRecoveryCodes(ctx, userId) : { codes: null, statements: [] };
  const others = and(eq(sessions.userId, userId), ne(sessions.id, sessionId));
  await changeFactors(
    ctx,
    { actor, userId },
    {
      ...change,
      statements: [
        ...change.statements,
        ...made.statements,
        ...(isFirst ? [ctx.db.sql.delete(sessions).where(others)] : []),
      ],
    },
  );
  return made.codes;
}
