import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange } from '../../core/audit/index.ts';
import { invitations } from '../../core/invitations/table.ts';
import { organizationSubject, organizationsChanged } from '../../core/orgs/index.ts';
import { members, organizations } from '../../core/orgs/table.ts';
import { projectsChanged } from '../../core/projects/index.ts';
import { projects } from '../../core/projects/table.ts';
import type { Actor } from '../../module.ts';

/**
 * Deletes an organization: it is gone for everybody at once, with its people's access, its keys and its
 * invitations; its projects' events go within 24 hours. Its audit log stays.
 */
export async function deleteOrganization(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  const { sql } = ctx.db;
  const deletedAt = new Date(ctx.now());
  await commitChange(ctx, actor, {
    statements: [
      sql
        .update(organizations)
        .set({ deletedAt })
        .where(and(eq(organizations.id, id), isNull(organizations.deletedAt))),
      sql
        .update(projects)
        .set({ deletedAt })
        .where(and(eq(projects.organizationId, id), isNull(projects.deletedAt))),
      sql.delete(invitations).where(eq(invitations.organizationId, id)),
      sql.delete(members).where(eq(members.organizationId, id)),
    ],
    audit: [{ action: 'organization.deleted', organizationId: id, subject: { of: organizationSubject, id } }],
  });
  ctx.emit(organizationsChanged);
  ctx.emit(projectsChanged);
}
