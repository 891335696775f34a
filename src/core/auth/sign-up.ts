import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { newId } from '../../db/new-id.ts';
import { AppError } from '../../errors.ts';
import { organizationSubject } from '../orgs/index.ts';
import { organizations } from '../orgs/table.ts';
import type { LoginReply, signupBody } from './contract.ts';
import { login } from './login.ts';
import { addPerson, personStatements } from './person.ts';
import type { Origin } from './sign-in.ts';

/**
 * Makes an account for a stranger, with an organization of their own on DEFAULT_PLAN, and signs them in.
 * @throws AppError 403 where SIGNUP is closed, 409 when the address has an account already
 */
export async function signUp(
  ctx: Ctx,
  input: z.output<typeof signupBody>,
  origin: Origin,
): Promise<LoginReply> {
  if (ctx.config.SIGNUP !== 'open') {
    throw new AppError(403, 'Sign-up is closed here; ask the operator for an account');
  }
  const now = ctx.now();
  const organizationId = newId('org', now);
  const { email, name, password } = input;
  const person = await personStatements(ctx, { email, name, password, organizationId, role: 'owner' });
  const organization = {
    id: organizationId,
    name: input.organization ?? person.name,
    createdAt: new Date(now),
  };
  await addPerson(ctx, email, {
    actor: { kind: 'user', userId: person.userId, email, source: origin },
    statements: [
      ctx.db.sql.insert(organizations).values({ ...organization, plan: ctx.config.DEFAULT_PLAN }),
      ...person.statements,
    ],
    audit: [
      {
        action: 'organization.created',
        organizationId,
        subject: { of: organizationSubject, id: organizationId },
      },
      person.note,
    ],
  });
  return login(ctx, { email, password }, origin);
}
