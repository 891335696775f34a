import { asc, isNotNull } from 'drizzle-orm';
import { organizationsChanged } from '../../core/orgs/index.ts';
import { organizations } from '../../core/orgs/table.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import type { Job } from '../../module.ts';

/** Every table with rows of an organization beside its projects. They are few rows each. */
export const ORGANIZATION_TABLES = [
  'erasures',
  'saved_views',
  'usage_months',
  'usage_days',
  'quota_warnings',
  'repricings',
  'prices',
  'budget_events',
  'budgets',
  'invitations',
  'members',
] as const;

/** Tables that name an organization and outlive it: the log that nobody may change. */
export const KEPT_ORGANIZATION_TABLES = ['audit_log', 'audit_heads'] as const;

/**
 * Removes an organization that is marked as deleted and has no project left. False, and nothing changed, while
 * it has one; a project that came while it was deleted is marked too.
 */
export const removeOrganizationOp: WriteOp<{ id: string; now: number }, boolean> = {
  name: 'deletion.remove_organization',
  open(connection) {
    const mark = connection.prepare(
      'UPDATE projects SET deleted_at = ? WHERE organization_id = ? AND deleted_at IS NULL',
    );
    const find = connection.prepare('SELECT 1 FROM projects WHERE organization_id = ? LIMIT 1').raw(true);
    const empty = ORGANIZATION_TABLES.map((table) =>
      connection.prepare(`DELETE FROM ${table} WHERE organization_id = ?`),
    );
    const remove = connection.prepare('DELETE FROM organizations WHERE id = ? AND deleted_at IS NOT NULL');
    return {
      apply({ id, now }) {
        mark.run([now, id]);
        if (find.all([id]).length > 0) return false;
        for (const statement of empty) statement.run([id]);
        remove.run([id]);
        return true;
      },
    };
  },
};

/** Runs after the purge of projects, which it waits for. */
export const purgeOrganizations: Job = {
  name: 'organizations.purge_deleted',
  summary: 'Remove organizations that were deleted, when their projects are gone',
  schedule: '50 * * * *',
  run: async (ctx, signal) => {
    const deleted = await ctx.db.sql
      .select({ id: organizations.id })
      .from(organizations)
      .where(isNotNull(organizations.deletedAt))
      .orderBy(asc(organizations.deletedAt));
    let removed = 0;
    for (const { id } of deleted) {
      signal.throwIfAborted();
      if (await ctx.db.writer.write<boolean>(removeOrganizationOp.name, { id, now: ctx.now() })) removed++;
    }
    if (removed > 0) ctx.emit(organizationsChanged);
    return { removed, waiting: deleted.length - removed };
  },
};
