import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, notAMember } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { members } from '../orgs/table.ts';
import { projects } from '../projects/table.ts';
import type { CreatedToken, TokenInput } from './contract.ts';
import { findToken } from './queries.ts';
import { newSecret } from './secret.ts';
import { tokenSubject } from './subject.ts';
import { accessTokens } from './table.ts';
import { accessTokensChanged } from './tokens-changed.ts';

/** Most tokens of an organization that are neither revoked nor expired, because each has its own rate limit. */
const MAX_TOKENS = 100;

/** Whose token: a member of the organization. */
export type TokenOwner = { readonly organizationId: string; readonly userId: string };

/**
 * Creates an access token; only the reply contains it.
 * @throws AppError 400 for a project of others or an end in the past, 403 if the owner is not a member, 409 for too
 * many tokens
 */
export async function createToken(
  ctx: Ctx,
  actor: Actor,
  { organizationId, userId, ...input }: TokenOwner & TokenInput,
): Promise<CreatedToken> {
  const now = ctx.now();
  const { name, scopes, projectId = null } = input;
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && !(expiresAt.getTime() > now))
    throw badRequest('expiresAt: must be in the future');
  if (projectId !== null) await requireProject(ctx, organizationId, projectId);
  const id = newId('tok', now);
  const { token, ...stored } = newSecret();
  const owner = { organizationId, userId };
  const row = { organizationId, projectId, name, scopes, ...stored, createdBy: userId, expiresAt };
  const insert = ctx.db.sql.insert(accessTokens).values({
    ...row,
    id: ifFew(id, owner, now),
    memberSince: memberSince(ctx, owner),
    createdAt: new Date(now),
  });
  try {
    await commitChange(ctx, actor, {
      statements: [insert],
      audit: [
        { action: 'access_token.created', organizationId, projectId, subject: { of: tokenSubject, id } },
      ],
    });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('access_tokens.member_since')) throw notAMember();
    if (!columns.includes('access_tokens.id')) throw error;
    throw conflict(`An organization has at most ${MAX_TOKENS} active access tokens; revoke some`);
  }
  ctx.emit(accessTokensChanged);
  return { ...(await findToken(ctx, id)), token };
}

/** The id, or null, which is not allowed, if the organization has too many tokens when the row is written. */
const ifFew = (id: string, { organizationId }: TokenOwner, now: number) =>
  sql<string>`(SELECT ${id} WHERE ${MAX_TOKENS} > (SELECT count(*) FROM access_tokens
    WHERE organization_id = ${organizationId} AND revoked_at IS NULL AND ifnull(expires_at, 9e15) > ${now}))`;

/** When the owner became a member, or null, which is not allowed, if they are none when the row is written. */
const memberSince = (ctx: Ctx, { organizationId, userId }: TokenOwner) =>
  sql<Date>`(${ctx.db.sql
    .select({ at: members.createdAt })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))})`;

async function requireProject(ctx: Ctx, organizationId: string, id: string): Promise<void> {
  const own = and(
    eq(projects.id, id),
    eq(projects.organizationId, organizationId),
    isNull(projects.deletedAt),
  );
  if ((await ctx.db.sql.$count(projects, own)) === 0)
    throw badRequest(`projectId: the organization has no project ${id}`);
}
