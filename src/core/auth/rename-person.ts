import { eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../module.ts';
import { commitChange, INSTALLATION } from '../audit/index.ts';
import { userSubject } from '../orgs/index.ts';
import { users } from '../orgs/table.ts';

/** Changes the name by which a person is shown. */
export async function renamePerson(
  ctx: Ctx,
  actor: Actor,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  const subject = { of: userSubject, id: userId };
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(users)
        .set({ name, updatedAt: new Date(ctx.now()) })
        .where(eq(users.id, userId)),
    ],
    audit: [{ action: 'user.renamed', organizationId: INSTALLATION, subject }],
  });
}
