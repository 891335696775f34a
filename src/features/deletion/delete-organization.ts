import type { Ctx } from '../../context.ts';
import { commitChange } from '../../core/audit/index.ts';
import { deleteInvitations } from '../../core/invitations/index.ts';
import {
  deleteMembers,
  markDeleted,
  organizationSubject,
  organizationsChanged,
} from '../../core/orgs/index.ts';
import { markProjectsDeleted, projectsChanged } from '../../core/projects/index.ts';
import type { Actor } from '../../module.ts';

/**
 * Deletes an organization. Members lose access immediately, and its keys and invitations stop working. Its projects'
 * events are deleted within 24 hours. Its audit log is kept.
 */
export async function deleteOrganization(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await commitChange(ctx, actor, {
    statements: [
      markDeleted(ctx, id),
      markProjectsDeleted(ctx, id),
      deleteInvitations(ctx, id),
      deleteMembers(ctx, id),
    ],
    audit: [{ action: 'organization.deleted', organizationId: id, subject: { of: organizationSubject, id } }],
  });
  ctx.emit(organizationsChanged);
  ctx.emit(projectsChanged);
}
