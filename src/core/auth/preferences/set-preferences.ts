import type { Ctx } from '../../../context.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { updateUser, userSubject } from '../../orgs/index.ts';
import { personNotes } from '../journal/person-notes.ts';
import type { Preferences } from './contract.ts';

/** Changes what a person chose about the dashboard. */
export async function setPreferences(
  ctx: Ctx,
  actor: Actor,
  { userId, timeZone }: { readonly userId: string } & Preferences,
): Promise<void> {
  const subject = { of: userSubject, id: userId };
  await commitChange(ctx, actor, {
    statements: [updateUser(ctx, userId, { timeZone, updatedAt: new Date(ctx.now()) })],
    audit: await personNotes(ctx, userId, { action: 'user.preferences_changed', subject }),
  });
}
