import { and, desc, eq, isNull, lt, or, type SQL } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { members, users } from '../orgs/table.ts';
import { projects } from '../projects/table.ts';
import type { TokenScope } from '../tenancy/contract.ts';
import type { TokenRow, TokensPage } from './contract.ts';
import { accessTokens } from './table.ts';

const iso = (time: Date | null): string | null => (time === null ? null : formatInstant(time.getTime()));

/** Joins the membership in which a token was created. One that began later does not count. */
const ofMembership = and(
  eq(members.userId, accessTokens.createdBy),
  eq(members.organizationId, accessTokens.organizationId),
  eq(members.createdAt, accessTokens.memberSince),
);

/** A token of a deleted project is as good as deleted. */
const projectStays = or(isNull(accessTokens.projectId), isNull(projects.deletedAt));

/** Tokens of an organization, newest first. `cursor` is the last id of the previous page. */
export async function listTokens(
  ctx: Ctx,
  organizationId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<TokensPage> {
  if (cursor !== undefined && !cursor.startsWith('tok_'))
    throw badRequest('cursor was not returned by this endpoint');
  const before = cursor === undefined ? undefined : lt(accessTokens.id, cursor);
  const rows = await selectRows(ctx, and(eq(accessTokens.organizationId, organizationId), before), limit + 1);
  const shown = rows.slice(0, limit);
  return { accessTokens: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** One token, of one organization if it is given. Throws AppError 404. */
export async function findToken(ctx: Ctx, id: string, organizationId?: string): Promise<TokenRow> {
  const of = organizationId === undefined ? undefined : eq(accessTokens.organizationId, organizationId);
  const [row] = await selectRows(ctx, and(eq(accessTokens.id, id), of), 1);
  if (row === undefined) throw notFound(`There is no access token ${id}`);
  return row;
}

async function selectRows(ctx: Ctx, where: SQL | undefined, limit: number): Promise<TokenRow[]> {
  const rows = await ctx.db.sql
    .select({ token: accessTokens, projectName: projects.name, createdBy: users.email, role: members.role })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.createdBy))
    .leftJoin(members, ofMembership)
    .leftJoin(projects, eq(projects.id, accessTokens.projectId))
    .where(and(where, projectStays))
    .orderBy(desc(accessTokens.id))
    .limit(limit);
  return rows.map(({ token, projectName, createdBy, role }) => ({
    id: token.id,
    name: token.name,
    organizationId: token.organizationId,
    projectId: token.projectId,
    projectName,
    scopes: [...token.scopes],
    prefix: token.prefix,
    state: stateOf(token, role !== null, ctx.now()),
    createdAt: formatInstant(token.createdAt.getTime()),
    createdBy,
    role,
    lastUsedAt: iso(token.lastUsedAt),
    expiresAt: iso(token.expiresAt),
    revokedAt: iso(token.revokedAt),
  }));
}

function stateOf(
  { revokedAt, expiresAt }: typeof accessTokens.$inferSelect,
  isMember: boolean,
  now: number,
): TokenRow['state'] {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt.getTime() <= now) return 'expired';
  return isMember ? 'active' : 'orphaned';
}

/** A token that may be used until `expiresAt` (epoch milliseconds; null: no end). */
export type ValidToken = {
  readonly tokenId: string;
  readonly scopes: readonly TokenScope[];
  readonly expiresAt: number | null;
  /** Whoever created it. */
  readonly person: { readonly userId: string; readonly email: string; readonly name: string };
  /** The organization that it reaches, or one project of it. */
  readonly reach: { readonly organizationId: string; readonly projectId: string | null };
};

/** Null for a token that is unknown or revoked, whose project is deleted, or whose creator left. */
export async function loadToken(ctx: Ctx, hash: string): Promise<ValidToken | null> {
  const [row] = await ctx.db.sql
    .select({ token: accessTokens, person: { userId: users.id, email: users.email, name: users.name } })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.createdBy))
    .innerJoin(members, ofMembership)
    .leftJoin(projects, eq(projects.id, accessTokens.projectId))
    .where(and(eq(accessTokens.hash, hash), isNull(accessTokens.revokedAt), projectStays));
  if (row === undefined) return null;
  const { id: tokenId, scopes, expiresAt, organizationId, projectId } = row.token;
  const reach = { organizationId, projectId };
  return { tokenId, scopes, expiresAt: expiresAt?.getTime() ?? null, person: row.person, reach };
}
