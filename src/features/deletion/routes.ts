import { route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { removeOrganizationEndpoint } from './contract.ts';
import { deleteOrganization } from './delete-organization.ts';

export const removeOrganization = route(removeOrganizationEndpoint, async (ctx, input, caller) => {
  await deleteOrganization(ctx, actorOf(caller, input), caller.organizationId);
  return null;
});
