import { and, asc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import { members, organizations, users } from '../orgs/table.ts';
import { findProject, toIngestSettings } from '../projects/index.ts';
import { projects } from '../projects/table.ts';
import { checkedProject, extendScope, type KeyScope } from '../tenancy/index.ts';
import type { KeyRow } from './contract.ts';
import { apiKeys } from './table.ts';

const iso = (time: Date | null): string | null => (time === null ? null : formatInstant(time.getTime()));

/** Days for which a key is listed after it was revoked, expired, or its grace period ended. */
export const LISTED_DAYS = 30;

/** Keys of one project (id or unambiguous name) or of all projects that are not deleted, oldest first. */
export async function listKeys(ctx: Ctx, project?: string): Promise<KeyRow[]> {
  const projectId = project === undefined ? undefined : (await findProject(ctx, project)).id;
  const rows = await ctx.db.sql
    .select({ key: apiKeys, projectName: projects.name, createdBy: users.email, memberId: members.userId })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .leftJoin(
      members,
      and(eq(members.userId, apiKeys.createdBy), eq(members.organizationId, projects.organizationId)),
    )
    .where(
      and(
        isNull(projects.deletedAt),
        projectId === undefined ? undefined : eq(projects.id, projectId),
        or(isNull(apiKeys.rotatedTo), gt(apiKeys.validUntil, new Date(ctx.now() - LISTED_DAYS * DAY_MS))),
      ),
    )
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
  return rows.map(({ key, projectName, createdBy, memberId }) => ({
    id: key.id,
    name: key.name,
    projectId: key.projectId,
    projectName,
    prefix: `slk_${key.prefix}`,
    state: stateOf(key, ctx.now()),
    createdAt: formatInstant(key.createdAt.getTime()),
    createdBy,
    makerLeft: key.createdBy !== null && memberId === null,
    expiresAt: key.rotatedTo === null ? iso(key.validUntil) : null,
    lastUsedAt: iso(key.lastUsedAt),
    validUntil: key.rotatedTo === null ? null : iso(key.validUntil),
    revokedAt: iso(key.revokedAt),
  }));
}

/** Throws AppError 404 if the key does not belong to the project. */
export async function requireKeyOf(ctx: Ctx, projectId: string, id: string): Promise<void> {
  const found = await ctx.db.sql.$count(apiKeys, and(eq(apiKeys.id, id), eq(apiKeys.projectId, projectId)));
  if (found === 0) throw notFound(`There is no key ${id} in this project`);
}

/** The row of a key whose project is not deleted, with the organization's id. Throws AppError 404. */
export async function findKey(
  ctx: Ctx,
  id: string,
): Promise<typeof apiKeys.$inferSelect & { organizationId: string }> {
  const [found] = await ctx.db.sql
    .select({ key: apiKeys, organizationId: projects.organizationId })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(and(eq(apiKeys.id, id), isNull(projects.deletedAt)));
  if (found === undefined) throw notFound(`There is no key ${id}`);
  return { ...found.key, organizationId: found.organizationId };
}

/** The project of an organization's key; null if the key does not belong to the organization. */
export async function findProjectOfKey(
  ctx: Ctx,
  organizationId: string,
  keyId: string,
): Promise<string | null> {
  const [row] = await ctx.db.sql
    .select({ projectId: apiKeys.projectId })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(and(eq(apiKeys.id, keyId), eq(projects.organizationId, organizationId)));
  return row?.projectId ?? null;
}

/** Of each key of an organization that replaced or was replaced: all that stood for the same, the oldest first. */
export async function listReplacements(
  ctx: Ctx,
  organizationId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await ctx.db.sql
    .select({ id: apiKeys.id, next: apiKeys.rotatedTo })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(and(eq(projects.organizationId, organizationId), isNotNull(apiKeys.rotatedTo)));
  const nextOf = new Map(rows.map(({ id, next }) => [id, next]));
  const replacing = new Set(nextOf.values());
  const lines = new Map<string, readonly string[]>();
  for (const { id: oldest } of rows) {
    if (replacing.has(oldest)) continue;
    const line: string[] = [];
    for (let id: string | null | undefined = oldest; id && !line.includes(id); id = nextOf.get(id))
      line.push(id);
    for (const id of line) lines.set(id, line);
  }
  return lines;
}

/** The statement that adds a key, as part of a larger change. */
export const insertKey = (ctx: Ctx, row: typeof apiKeys.$inferInsert): BatchItem<'sqlite'> =>
  ctx.db.sql.insert(apiKeys).values(row);

/** The keys with a public prefix: almost always one. Includes revoked and expired keys. */
export async function listKeysByPrefix(ctx: Ctx, prefix: string): Promise<(typeof apiKeys.$inferSelect)[]> {
  return ctx.db.sql.select().from(apiKeys).where(eq(apiKeys.prefix, prefix));
}

/** What a verified key may do, and until when (epoch milliseconds; null: no end). */
export type KeyGrant = {
  readonly scope: KeyScope;
  readonly validUntil: number | null;
  /** Its name, if `validUntil` is its expiry; null for a replaced key. */
  readonly expires: string | null;
};

/** Null for a key that is revoked or whose project is deleted. The caller checks `validUntil`. */
export async function loadGrant(ctx: Ctx, keyId: string): Promise<KeyGrant | null> {
  const [row] = await ctx.db.sql
    .select({ key: apiKeys, project: projects, organization: organizations })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt), isNull(projects.deletedAt)));
  if (row === undefined) return null;
  const { key, project, organization } = row;
  const { id: projectId, no, organizationId } = project;
  const scope = extendScope(checkedProject({ projectId, no, organizationId }), {
    keyId,
    ...toIngestSettings(project, organization),
  });
  const expires = key.rotatedTo === null ? key.name : null;
  return { scope, validUntil: key.validUntil?.getTime() ?? null, expires };
}

function stateOf(key: typeof apiKeys.$inferSelect, now: number): KeyRow['state'] {
  if (key.revokedAt !== null) return 'revoked';
  if (key.validUntil !== null && key.validUntil.getTime() <= now) return 'expired';
  return key.rotatedTo === null ? 'active' : 'grace';
}
