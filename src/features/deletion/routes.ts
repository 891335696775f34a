import { defineRoute } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { deleteOrganization } from './delete-organization.ts';

export const removeOrganization = defineRoute({
  method: 'DELETE',
  path: '/v1/organizations/:id',
  auth: 'organization',
  role: 'owner',
  summary: 'Delete an organization with its projects: access and keys at once, events within 24 hours',
  status: 204,
  handler: async (ctx, input, caller) => {
    await deleteOrganization(ctx, actorOf(caller, input), caller.organizationId);
    return null;
  },
});
