import type { Ctx } from '../../context.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { updateUser, userSubject } from '../orgs/index.ts';
import { personNotes } from './journal/person-notes.ts';

/** Changes the display name of a person. */
export async function renamePerson(
  ctx: Ctx,
  actor: Actor,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  const subject = { of: userSubject, id: userId };
  await commitChange(ctx, actor, {
    statements: [updateUser(ctx, userId, { name, updatedAt: new Date(ctx.now()) })],
    audit: await personNotes(ctx, userId, { action: 'user.renamed', subject }),
  });
}
