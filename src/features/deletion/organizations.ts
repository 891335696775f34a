import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { listDeletedOrganizations, organizationsChanged, removeOrganization } from '../../core/orgs/index.ts';
import { markProjectsDeleted } from '../../core/projects/index.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import type { Job } from '../../module.ts';

/** Runs after the purge of projects, which it waits for. */
export const purgeOrganizations: Job = {
  name: 'organizations.purge_deleted',
  summary: 'Remove organizations that were deleted, when their projects are gone',
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
 * Removes an organization with its rows in all tables, which are few, in one transaction. False, and no row
 * removed, while it has a project; one that was made while the organization was deleted is marked too.
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
