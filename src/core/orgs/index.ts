import type { Module } from '../../module.ts';
import { createOrganization } from './create-organization.ts';
import { removeUser, setRole } from './member-actions.ts';
import { requireSecondFactorAction } from './require-second-factor.ts';
import { orgRoutes } from './routes.ts';
import { setPlan } from './set-plan.ts';

export const orgsModule: Module = {
  name: 'orgs',
  tables: [
    { name: 'organizations', scope: 'organization', by: 'id', key: ['id'], purge: 'by module' },
    { name: 'members', scope: 'organization', by: 'organization_id', key: ['user_id'] },
    { name: 'users', scope: 'user', by: 'id', key: ['id'] },
  ],
  routes: orgRoutes,
  actions: [createOrganization, setPlan, setRole, removeUser, requireSecondFactorAction],
};

export { changePlan, hasOwnLimits } from './change-plan.ts';
export { createOrganization } from './create-organization.ts';
export { deleteMembers, listDeletedOrganizations, markDeleted, removeOrganization } from './deletion.ts';
export { removeUser, setRole } from './member-actions.ts';
export { listMembers } from './members.ts';
export { organizationsChanged } from './organizations-changed.ts';
export { pickOne } from './pick-one.ts';
export { findOrganization, hasOwner, listOrganizations, planOf } from './queries.ts';
export { requireSecondFactorAction } from './require-second-factor.ts';
export {
  deleteUser,
  insertMember,
  insertOrganization,
  insertUser,
  isUnconfirmed,
  listOwnedAlone,
  nobodyOwns,
  renewMemberships,
  updateMember,
  updateUser,
} from './rows.ts';
export { setPlan } from './set-plan.ts';
export { memberSubject, organizationSubject, userSubject } from './subject.ts';
