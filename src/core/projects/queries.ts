import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notAMember } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { findOrganization, pickOne } from '../orgs/index.ts';
import { organizations } from '../orgs/table.ts';
import { limitsOf } from '../plans/index.ts';
import type { KeyScope, ProjectScope } from '../tenancy/index.ts';
import type { ProjectRow } from './contract.ts';
import { projects } from './table.ts';

const columns = {
  id: projects.id,
  no: projects.no,
  name: projects.name,
  organizationId: projects.organizationId,
  organizationName: organizations.name,
  createdAt: projects.createdAt,
};

/** Projects that are not deleted, of one organization (id or unambiguous name) or of all, oldest first. */
export async function listProjects(ctx: Ctx, organization?: string): Promise<ProjectRow[]> {
  const owner = organization === undefined ? undefined : (await findOrganization(ctx, organization)).id;
  const rows = await ctx.db.sql
    .select(columns)
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(
      and(isNull(projects.deletedAt), owner === undefined ? undefined : eq(projects.organizationId, owner)),
    )
    .orderBy(asc(projects.no));
  return rows.map((row) => ({ ...row, createdAt: formatInstant(row.createdAt.getTime()) }));
}

/** The project that an id or an unambiguous name means. Throws AppError 404 or 409. */
export async function findProject(ctx: Ctx, given: string): Promise<ProjectRow> {
  return pickOne('project', given, await listProjects(ctx));
}

/** The number of a project that is not deleted; null for a deleted and a missing one. */
export async function findProjectNumber(ctx: Ctx, id: string): Promise<number | null> {
  const [row] = await ctx.db.sql
    .select({ no: projects.no })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
  return row?.no ?? null;
}

/** What ingest needs to know of a project. `monthlyEvents` and `monthlyBytes` are what its organization may have in a month. */
export type IngestSettings = Pick<
  KeyScope,
  | 'monthlyEvents'
  | 'monthlyBytes'
  | 'storePrompts'
  | 'redactKeys'
  | 'sampleRate'
  | 'flushIntervalMs'
  | 'maxBatchSize'
  | 'configVersion'
>;

/** The settings in the rows of a project and of its organization. */
export function toIngestSettings(
  project: typeof projects.$inferSelect,
  organization: typeof organizations.$inferSelect,
): IngestSettings {
  const { storePrompts, redactKeys, sampleRate, flushIntervalMs, maxBatchSize, configVersion } = project;
  const { monthlyEvents, monthlyBytes } = limitsOf(organization);
  return {
    monthlyEvents,
    monthlyBytes,
    storePrompts,
    redactKeys,
    sampleRate,
    flushIntervalMs,
    maxBatchSize,
    configVersion,
  };
}

/** The settings of a project that the caller may see. Throws 403 when it was deleted meanwhile. */
export async function readIngestSettings(ctx: Ctx, { no }: ProjectScope): Promise<IngestSettings> {
  const [row] = await ctx.db.sql
    .select({ project: projects, organization: organizations })
    .from(projects)
    .innerJoin(organizations, eq(organizations.id, projects.organizationId))
    .where(and(eq(projects.no, no), isNull(projects.deletedAt)));
  if (row === undefined) throw notAMember();
  return toIngestSettings(row.project, row.organization);
}
