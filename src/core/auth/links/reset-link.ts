import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { notFound } from '../../../errors.ts';
import { defineAction } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { emailAddress } from '../../orgs/contract.ts';
import { userSubject } from '../../orgs/index.ts';
import { users } from '../../orgs/table.ts';
import { personNotes } from '../journal/person-notes.ts';
import { resetUrl } from '../passwords/password.ts';
import { newLink } from './links.ts';

/** `users.reset_link`: a link for choosing a new password, which the operator passes on. */
export const resetLink = defineAction({
  name: 'users.reset_link',
  input: z.object({ email: emailAddress }),
  run: async (ctx, { email }, actor) => {
    const [person] = await ctx.db.sql.select({ id: users.id }).from(users).where(eq(users.email, email));
    if (person === undefined) throw notFound(`There is no account for ${email}`);
    const { token, statement } = newLink(ctx, 'reset', person.id);
    const subject = { of: userSubject, id: person.id };
    await commitChange(ctx, actor, {
      statements: [statement],
      audit: await personNotes(ctx, person.id, { action: 'user.reset_link_created', subject }),
    });
    return { email, url: resetUrl(ctx, token), minutes: 15 };
  },
});
