import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { organizations } from '../../orgs/table.ts';
import { configuredProviders } from '../oauth/providers.ts';
import { emailDomains } from '../table.ts';
import type { DomainRow } from './contract.ts';

/** A domain as it is stored. */
export type Domain = typeof emailDomains.$inferSelect;

/** The part of an address after the `@`. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** What is set for the domain of an address; null for nothing, and for a deleted organization. */
export async function findDomain(ctx: Ctx, email: string): Promise<Domain | null> {
  const [row] = await ctx.db.sql
    .select({ found: emailDomains })
    .from(emailDomains)
    .innerJoin(organizations, eq(organizations.id, emailDomains.organizationId))
    .where(and(eq(emailDomains.domain, domainOf(email)), isNull(organizations.deletedAt)));
  return row?.found ?? null;
}

/** The domains of an organization by name, or of all organizations. */
export async function listDomains(ctx: Ctx, organizationId?: string): Promise<DomainRow[]> {
  const rows = await ctx.db.sql
    .select({ found: emailDomains, organizationName: organizations.name })
    .from(emailDomains)
    .innerJoin(organizations, eq(organizations.id, emailDomains.organizationId))
    .where(
      and(
        isNull(organizations.deletedAt),
        organizationId === undefined ? undefined : eq(organizations.id, organizationId),
      ),
    )
    .orderBy(asc(emailDomains.domain));
  return rows.map(({ found, organizationName }) => toRow(ctx, found, organizationName));
}

/** A domain as the API returns it. */
export function toRow(
  ctx: Ctx,
  { domain, organizationId, provider, role, ssoRequired }: Domain,
  organizationName: string,
): DomainRow {
  const name = configuredProviders(ctx).find(({ id }) => id === provider)?.name ?? null;
  return { domain, organizationId, organizationName, provider, providerName: name, role, ssoRequired };
}
