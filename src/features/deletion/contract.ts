import { defineEndpoint, organizationParams } from '../../core/tenancy/contract.ts';

export const removeOrganizationEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/organizations/:id',
  auth: 'organization',
  role: 'owner',
  recent: true,
  summary: 'Delete an organization with its projects: access and keys at once, events within 24 hours',
  params: organizationParams,
  status: 204,
});
