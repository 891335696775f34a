import { and, eq, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { AppError } from '../../../errors.ts';
import type { Source } from '../../../module.ts';
import { type AuditNote, commitChange, INSTALLATION } from '../../audit/index.ts';
import { displayName, emailAddress } from '../../orgs/contract.ts';
import {
  insertMember,
  insertOrganization,
  insertUser,
  memberSubject,
  organizationSubject,
  organizationsChanged,
} from '../../orgs/index.ts';
import { users } from '../../orgs/table.ts';
import { claimAccount } from '../claim-account.ts';
import { domainFor, joinByDomain, membershipBy } from '../domains/join-by-domain.ts';
import type { Domain } from '../domains/queries.ts';
import { requireSignInWith } from '../domains/require-sign-in.ts';
import { personNotes } from '../journal/person-notes.ts';
import { findPerson } from '../queries.ts';
import { accounts } from '../table.ts';
import type { Identity } from './provider.ts';

type Proven = Identity & { readonly email: string };

const refusal = (message: string): AppError => new AppError(403, message);

/**
 * Finds the person of an identity: first by earlier use, then by its address, otherwise (if SIGNUP allows it) as a new
 * person. An address counts only if the provider has confirmed it. If this server has not, somebody else may have
 * signed up with it: then the passwords and login sessions of the account end.
 * @returns the person's id
 * @throws AppError 403 with the reason
 */
export async function joinIdentity(ctx: Ctx, identity: Identity, source: Source): Promise<string> {
  const userId = await findOrAdd(ctx, identity, source);
  const { email } = await findPerson(ctx, userId);
  await requireSignInWith(ctx, email, identity.provider);
  await joinByDomain(ctx, identity, { userId, actor: { kind: 'user', userId, email, source } });
  return userId;
}

async function findOrAdd(ctx: Ctx, identity: Identity, source: Source): Promise<string> {
  // The second attempt is for a concurrent sign-in of the same identity that won.
  for (let attempt = 0; ; attempt++) {
    const known = await findByIdentity(ctx, identity);
    if (known !== null) return known;
    const proven = requireProven(identity);
    await requireSignInWith(ctx, proven.email, identity.provider);
    const [person] = await ctx.db.sql.select().from(users).where(eq(users.email, proven.email));
    try {
      if (person !== undefined) return await link(ctx, proven, person, source);
      return await addStranger(ctx, proven, source);
    } catch (error) {
      if (attempt > 0 || brokenConstraint(error)?.kind !== 'unique') throw error;
    }
  }
}

async function findByIdentity(ctx: Ctx, { namespace, accountId }: Identity): Promise<string | null> {
  const [row] = await ctx.db.sql
    .select({ userId: accounts.userId })
    .from(accounts)
    .where(and(eq(accounts.providerId, namespace), eq(accounts.accountId, accountId)));
  return row?.userId ?? null;
}

function requireProven(identity: Identity): Proven {
  const { providerName: name, onlyDomains } = identity;
  const email = emailAddress.safeParse(identity.email);
  if (identity.email === null || !email.success) {
    throw refusal(`${name} sent no email address; ask its administrator to share yours with this server`);
  }
  if (onlyDomains !== undefined) {
    throw refusal(
      `${name} is accepted for addresses at ${onlyDomains.join(', ')} only; yours is ${email.data}`,
    );
  }
  if (!identity.emailVerified) {
    throw refusal(`${name} has not confirmed your email address; confirm it there, then try again`);
  }
  return { ...identity, email: email.data };
}

/** Names the table in SQL, because the module of invitations depends on this one. */
async function hasOpenInvitation(ctx: Ctx, email: string): Promise<boolean> {
  const found = await ctx.db.sql.all(
    sql`SELECT 1 FROM invitations WHERE email = ${email} AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${ctx.now()} LIMIT 1`,
  );
  return found.length > 0;
}

async function link(
  ctx: Ctx,
  identity: Proven,
  person: typeof users.$inferSelect,
  source: Source,
): Promise<string> {
  const { id: userId, email } = person;
  await commitChange(
    ctx,
    { kind: 'user', userId, email, source },
    {
      statements: [...claimAccount(ctx, userId), insertAccount(ctx, identity, userId)],
      audit: await personNotes(ctx, userId, told('user.identity_linked', identity)),
    },
  );
  ctx.emit(organizationsChanged);
  return userId;
}

/**
 * Adds a new person: to the organization of their domain whatever SIGNUP says, else with their own organization if
 * sign-up is open, else with an invitation to accept.
 */
async function addStranger(ctx: Ctx, identity: Proven, source: Source): Promise<string> {
  const { email } = identity;
  const domain = await domainFor(ctx, identity);
  const isOpen = ctx.config.SIGNUP === 'open';
  const isInvited = ctx.config.SIGNUP === 'invitation' && (await hasOpenInvitation(ctx, email));
  if (domain === null && !isOpen && !isInvited)
    throw refusal(`There is no account for ${email} here, and sign-up is closed`);
  const now = ctx.now();
  const at = { createdAt: new Date(now), updatedAt: new Date(now) };
  const userId = newId('usr', now);
  const given = displayName.safeParse(identity.name);
  const name = given.success ? given.data : email.slice(0, email.indexOf('@'));
  const own = membershipOf(ctx, { domain, isOpen, userId, name });
  await commitChange(
    ctx,
    { kind: 'user', userId, email, source },
    {
      statements: [
        insertUser(ctx, { id: userId, email, emailVerified: true, name, ...at }),
        insertAccount(ctx, identity, userId),
        ...own.statements,
      ],
      audit: [{ ...told('user.created', identity), organizationId: INSTALLATION }, ...own.audit],
    },
  );
  ctx.emit(organizationsChanged);
  return userId;
}

type Newcomer = {
  readonly domain: Domain | null;
  readonly isOpen: boolean;
  readonly userId: string;
  readonly name: string;
};

function membershipOf(ctx: Ctx, { domain, isOpen, ...person }: Newcomer): Membership {
  if (domain !== null) return membershipBy(ctx, domain, person.userId);
  return isOpen ? ownOrganization(ctx, person) : { statements: [], audit: [] };
}

type Membership = { statements: BatchItem<'sqlite'>[]; audit: AuditNote[] };

function ownOrganization(ctx: Ctx, { userId, name }: { userId: string; name: string }): Membership {
  const createdAt = new Date(ctx.now());
  const id = newId('org', ctx.now());
  return {
    statements: [
      insertOrganization(ctx, { id, name, plan: ctx.config.DEFAULT_PLAN, createdAt }),
      insertMember(ctx, { organizationId: id, userId, role: 'owner', createdAt }),
    ],
    audit: [
      { action: 'organization.created', organizationId: id, subject: { of: organizationSubject, id } },
      { action: 'member.added', organizationId: id, subject: { of: memberSubject, id: [userId, id] } },
    ],
  };
}

/** The provider's tokens are not stored, because nothing uses them. */
function insertAccount(ctx: Ctx, { namespace, accountId }: Identity, userId: string): BatchItem<'sqlite'> {
  const now = new Date(ctx.now());
  const id = newId('acc', ctx.now());
  const row = { id, accountId, providerId: namespace, userId, createdAt: now, updatedAt: now };
  return ctx.db.sql.insert(accounts).values(row);
}

const told = (action: string, { provider, email }: Proven) => ({ action, after: { provider, email } });
