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
 * Deletes an organization: it is gone for everybody at once, with its people's access, its keys and its
 * invitations; its projects' events go within 24 hours. Its audit log stays.
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
