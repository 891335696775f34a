import { asc, isNotNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { projects } from '../../core/projects/table.ts';
import type { DeletedProject } from './remove-op.ts';

/** The projects whose deletion was asked for and is not done, the oldest request first. */
export async function listDeletedProjects(ctx: Ctx): Promise<DeletedProject[]> {
  return ctx.db.sql
    .select({ no: projects.no, id: projects.id })
    .from(projects)
    .where(isNotNull(projects.deletedAt))
    .orderBy(asc(projects.deletedAt));
}
