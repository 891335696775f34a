import type { Ctx } from '../../context.ts';
import type { Statements } from '../../db/batch.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { type AuditNote, commitChange } from '../audit/index.ts';
import { insertMember, insertUser, memberSubject, organizationsChanged } from '../orgs/index.ts';
import type { Role } from '../tenancy/contract.ts';
import { hashNewPassword } from './passwords/hash-new-password.ts';
import { accounts } from './table.ts';

/** A person to add; `name` defaults to the start of the address. */
export type NewPerson = {
  readonly email: string;
  readonly name: string | undefined;
  readonly password: string;
  /** Whether the address is confirmed: by a link sent to it, or by the operator. */
  readonly verified: boolean;
  readonly organizationId: string;
  readonly role: Role;
};

/** Statements that add a person with a password and their membership, with the audit notes. */
export async function personStatements(
  ctx: Ctx,
  person: NewPerson,
): Promise<{ userId: string; name: string; statements: Statements; note: AuditNote }> {
  const { email, organizationId, role } = person;
  const now = ctx.now();
  const at = { createdAt: new Date(now), updatedAt: new Date(now) };
  const userId = newId('usr', now);
  const name = person.name ?? email.slice(0, email.indexOf('@'));
  const password = await hashNewPassword(ctx, person.password, person);
  const statements: Statements = [
    insertUser(ctx, { id: userId, email, emailVerified: person.verified, name, ...at }),
    // Stored as better-auth does: an account of the provider `credential`.
    ctx.db.sql.insert(accounts).values({
      id: newId('acc', now),
      accountId: userId,
      providerId: 'credential',
      userId,
      password,
      ...at,
    }),
    insertMember(ctx, { organizationId, userId, role, createdAt: at.createdAt }),
  ];
  const subject = { of: memberSubject, id: [userId, organizationId] };
  return { userId, name, statements, note: { action: 'member.added', organizationId, subject } };
}

/** Runs statements that add a person, audited. Throws AppError 409 if the address already has an account. */
export async function addPerson(
  ctx: Ctx,
  email: string,
  { actor, ...change }: { actor: Actor; statements: Statements; audit: readonly AuditNote[] },
): Promise<void> {
  await whileUnknown(email, () => commitChange(ctx, actor, change));
  ctx.emit(organizationsChanged);
}

/** Runs a change that adds an address. Throws AppError 409 if it already has an account. */
export async function whileUnknown(email: string, change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('users.email')) throw error;
    throw conflict(`${email} has an account already; sign in to it`);
  }
}
