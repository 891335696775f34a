import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { conflict, notFound } from '../../../errors.ts';
import { defineAction } from '../../../module.ts';
import { emailAddress } from '../../orgs/contract.ts';
import { users } from '../../orgs/table.ts';
import { sessions } from '../table.ts';
import { changeFactors, personNote } from './change-factors.ts';
import { deleteFactors } from './factors.ts';
import { factorMails } from './mails.ts';

/** `users.reset_factors`: the operator removes all second factors of a person who is locked out. */
export const resetFactors = defineAction({
  name: 'users.reset_factors',
  input: z.object({ email: emailAddress }),
  run: async (ctx, { email }, actor) => {
    const [person] = await ctx.db.sql
      .select({ id: users.id, secondFactor: users.secondFactor })
      .from(users)
      .where(eq(users.email, email));
    if (person === undefined) throw notFound(`There is no account for ${email}`);
    const { id: userId, secondFactor } = person;
    if (!secondFactor) throw conflict(`${email} has no second factor`);
    await changeFactors(
      ctx,
      { actor, userId },
      {
        statements: [
          ...deleteFactors(ctx, userId),
          ctx.db.sql.delete(sessions).where(eq(sessions.userId, userId)),
        ],
        note: personNote('user.second_factors_reset', userId),
        mail: factorMails.reset(email),
      },
    );
    return { email };
  },
});
