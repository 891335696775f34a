import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { listDeletedOrganizations, organizationsChanged, removeOrganization } from '../../core/orgs/index.ts';
import { markProjectsDeleted } from '../../core/projects/index.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import type { Job } from '../../module.ts';

/** Runs after the purge of projects and waits until an organization has no projects left. */
export const purgeOrganizations: Job = {
  name: 'organizations.purge_deleted',
  summary: 'Remove deleted organizations whose projects are purged',
  schedule: '50 * * * *',
  run: async (ctx, signal) => {
    const deleted = await listDeletedOrganizations(ctx);
    let removed = 0;
    for (const id of deleted) {
      signal.throwIfAborted();
      if (await remove(ctx, id)) removed++;
    }
    if (removed > 0) ctx.emit(organizationsChanged);
    return { removed, waiting: deleted.length - removed };
  },
};

/**
 * Removes an organization and its few rows in all tables, in one transaction. Returns false and removes nothing while
 * it has a project. A project that was created during the deletion is marked as deleted too.
 */
async function remove(ctx: Ctx, id: string): Promise<boolean> {
  const owned = ctx.tables.filter(
    ({ scope, kept, purge }) => scope === 'organization' && !kept && purge === undefined,
  );
  const empty = owned.map(({ name, by = '' }) =>
    ctx.db.sql.run(sql`DELETE FROM ${sql.identifier(name)} WHERE ${sql.identifier(by)} = ${id}`),
  );
  await ctx.db.sql.batch([markProjectsDeleted(ctx, id)]);
  try {
    await ctx.db.sql.batch([markProjectsDeleted(ctx, id), ...empty, removeOrganization(ctx, id)]);
    return true;
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'foreign_key') return false;
    throw error;
  }
}
