import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { users } from '../../orgs/table.ts';
import type { Me } from '../contract.ts';
import { findPerson, listMemberships } from '../queries.ts';
import type { sessionRow } from '../sessions/contract.ts';
import { listOwnSessions } from '../sessions/own-sessions.ts';

/** A person as the operator sees them. */
export type PersonRow = Me['user'] & {
  readonly memberships: Me['memberships'];
  readonly sessions: readonly z.infer<typeof sessionRow>[];
};

/** The person with an e-mail address: organizations, and login sessions, newest first. Throws AppError 404. */
export async function showPerson(ctx: Ctx, email: string): Promise<PersonRow> {
  const address = email.trim().toLowerCase();
  const [row] = await ctx.db.sql.select({ id: users.id }).from(users).where(eq(users.email, address));
  if (row === undefined) throw notFound(`There is no account for ${address}`);
  const person = await findPerson(ctx, row.id);
  return {
    ...person,
    memberships: await listMemberships(ctx, row.id),
    sessions: await listOwnSessions(ctx, { userId: row.id, sessionId: null }),
  };
}
