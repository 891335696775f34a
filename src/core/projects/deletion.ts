import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { projects } from './table.ts';

export type DeletedProject = { readonly no: number; readonly id: string; readonly organizationId: string };

/** The projects that are marked as deleted and not purged yet, the oldest deletion first. */
export async function listDeletedProjects(ctx: Ctx): Promise<DeletedProject[]> {
  return ctx.db.sql
    .select({ no: projects.no, id: projects.id, organizationId: projects.organizationId })
    .from(projects)
    .where(isNotNull(projects.deletedAt))
    .orderBy(asc(projects.deletedAt));
}

/** The statement that marks all projects of an organization as deleted. */
export const markProjectsDeleted = (ctx: Ctx, organizationId: string): BatchItem<'sqlite'> =>
  ctx.db.sql
    .update(projects)
    .set({ deletedAt: new Date(ctx.now()) })
    .where(and(eq(projects.organizationId, organizationId), isNull(projects.deletedAt)));

/**
 * Removes the row of a project that is marked as deleted. False, and nothing changed, while any table still
 * refers to it: a batch that was on its way when the deletion was asked for.
 */
export async function removeProject(ctx: Ctx, no: number): Promise<boolean> {
  try {
    await ctx.db.sql.delete(projects).where(and(eq(projects.no, no), isNotNull(projects.deletedAt)));
    return true;
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'foreign_key') return false;
    throw error;
  }
}
