import { and, eq, exists, inArray, isNull, like, ne, or } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { conflict, notFound } from '../../../errors.ts';
import { defineAction } from '../../../module.ts';
import { commitChange, defineSubject } from '../../audit/index.ts';
import { INVITED_ROLES, idOrName } from '../../orgs/contract.ts';
import { findOrganization } from '../../orgs/index.ts';
import { users } from '../../orgs/table.ts';
import { providerId } from '../contract.ts';
import { configuredProviders, namespaceOf } from '../oauth/providers.ts';
import { authOf } from '../service.ts';
import { accounts, emailDomains, sessions } from '../table.ts';
import { type DomainRow, mailDomain } from './contract.ts';
import { listDomains } from './queries.ts';

/** The fields of a domain in the audit log. */
const domainSubject = defineSubject(
  'email_domain',
  emailDomains,
  ['domain', 'provider', 'role', 'ssoRequired'],
  ['domain'],
);

/**
 * `domains.set`: people who sign in through a provider with an address of the domain join the organization. The
 * operator vouches that the domain belongs to it. With `ssoRequired` their login sessions that began in another way end.
 */
export const setDomain = defineAction({
  name: 'domains.set',
  input: z.object({
    domain: mailDomain,
    organization: idOrName,
    provider: providerId,
    role: z.enum(INVITED_ROLES),
    ssoRequired: z.boolean(),
  }),
  run: async (ctx, { organization, ...given }, actor): Promise<DomainRow> => {
    const { domain, provider, ssoRequired } = given;
    const { id: organizationId, name } = await findOrganization(ctx, organization);
    requireConfigured(ctx, provider);
    if (ssoRequired) await requireUsed(ctx, provider);
    const [changed] = await commitChange(ctx, actor, {
      statements: [
        ctx.db.sql
          .insert(emailDomains)
          .values({ ...given, organizationId, createdAt: new Date(ctx.now()) })
          .onConflictDoUpdate({
            target: emailDomains.domain,
            set: given,
            setWhere: eq(emailDomains.organizationId, organizationId),
          }),
        endOtherSessions(ctx, { domain, provider, organizationId }),
      ],
      audit: [
        { action: 'organization.domain_set', organizationId, subject: { of: domainSubject, id: domain } },
      ],
    });
    if (changed === 0) {
      throw conflict(`${domain} belongs to another organization; remove it there first (domains remove)`);
    }
    authOf(ctx).sessions.drop();
    return { ...given, organizationId, organizationName: name, providerName: nameOf(ctx, provider) };
  },
});

/** `domains.remove`: nobody joins by the domain any more, and its people sign in as they like. Members stay. */
export const removeDomain = defineAction({
  name: 'domains.remove',
  input: z.object({ domain: mailDomain }),
  run: async (ctx, { domain }, actor): Promise<DomainRow> => {
    const row = (await listDomains(ctx)).find((one) => one.domain === domain);
    if (row === undefined) throw notFound(`Nothing is set for ${domain}`);
    const { organizationId } = row;
    await commitChange(ctx, actor, {
      statements: [
        ctx.db.sql
          .delete(emailDomains)
          .where(and(eq(emailDomains.domain, domain), eq(emailDomains.organizationId, organizationId))),
      ],
      audit: [
        { action: 'organization.domain_removed', organizationId, subject: { of: domainSubject, id: domain } },
      ],
    });
    return row;
  },
});

/** Ends the login sessions that the rule of a domain does not admit, if there is one. */
function endOtherSessions(
  ctx: Ctx,
  { domain, provider, organizationId }: Pick<DomainRow, 'domain' | 'provider' | 'organizationId'>,
): BatchItem<'sqlite'> {
  const { sql } = ctx.db;
  const isOfOrganization = eq(emailDomains.organizationId, organizationId);
  const rule = and(eq(emailDomains.domain, domain), isOfOrganization, eq(emailDomains.ssoRequired, true));
  const people = sql
    .select({ id: users.id })
    .from(users)
    .where(like(users.email, `%@${domain}`));
  return sql
    .delete(sessions)
    .where(
      and(
        inArray(sessions.userId, people),
        or(isNull(sessions.provider), ne(sessions.provider, provider)),
        exists(sql.select({ domain: emailDomains.domain }).from(emailDomains).where(rule)),
      ),
    );
}

const nameOf = (ctx: Ctx, provider: string): string | null =>
  configuredProviders(ctx).find(({ id }) => id === provider)?.name ?? null;

function requireConfigured(ctx: Ctx, provider: string): void {
  if (nameOf(ctx, provider) !== null) return;
  const known = configuredProviders(ctx).map(({ id }) => id);
  const instead = known.length === 0 ? 'none is (see OIDC_ISSUERS)' : `configured are ${known.join(', ')}`;
  throw notFound(`${provider} is not a configured provider; ${instead}`);
}

/** Otherwise a wrong setting at the issuer would lock everybody of the domain out. */
async function requireUsed(ctx: Ctx, provider: string): Promise<void> {
  const used = await ctx.db.sql.$count(accounts, eq(accounts.providerId, namespaceOf(ctx, provider)));
  if (used === 0) {
    throw conflict(`Nobody has signed in with ${nameOf(ctx, provider)} yet; sign in once, then require it`);
  }
}
