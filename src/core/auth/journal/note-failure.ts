import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { Actor, Source } from '../../../module.ts';
import { type AuditNote, commitChange, INSTALLATION } from '../../audit/index.ts';
import { users } from '../../orgs/table.ts';
import { authOf } from '../service.ts';
import { briefSource, personNotes } from './person-notes.ts';

/** How somebody failed: at the sign-in, at its second step, or to repeat the password or a factor of a login session. */
type Failure = {
  readonly email: string;
  readonly by: 'password' | 'second factor' | 'repeated password' | 'repeated factor';
  readonly source: Source;
};

/**
 * Tells of a failed sign-in in the audit log, after the reply, so that its time says nothing about accounts. Failures
 * for one account, and all for unknown addresses, are told one by one at first, then tens, hundreds and so on together.
 * An unknown address is not stored: it may be a password in the wrong field.
 */
export function noteFailure(ctx: Ctx, { email, by, source }: Failure): void {
  authOf(ctx).later(async () => {
    const [person] = await ctx.db.sql.select({ id: users.id }).from(users).where(eq(users.email, email));
    const failures = authOf(ctx).failures.add(person?.id ?? 'unknown address', ctx.now());
    if (failures === null) return;
    const brief = briefSource(source);
    if (person === undefined) {
      const unknown = { failures, account: 'unknown address', network: brief.address };
      await append(ctx, { kind: 'system', name: 'sign-in' }, [
        { action: 'user.sign_in_failed', organizationId: INSTALLATION, after: unknown },
      ]);
      return;
    }
    const note = { action: 'user.sign_in_failed', after: { failures, by } };
    const actor = { kind: 'user', userId: person.id, email, source: brief } as const;
    await append(ctx, actor, await personNotes(ctx, person.id, note));
  });
}

const append = async (ctx: Ctx, actor: Actor, audit: AuditNote[]): Promise<void> => {
  await commitChange(ctx, actor, { statements: [], audit });
};
