import type { Module } from '../../module.ts';
import { createOrganization } from './create-organization.ts';
import { orgRoutes } from './routes.ts';
import { setPlan } from './set-plan.ts';

export const orgsModule: Module = {
  name: 'orgs',
  routes: orgRoutes,
  actions: [createOrganization, setPlan],
};

export { createOrganization } from './create-organization.ts';
export { pickOne } from './pick-one.ts';
export { findOrganization, hasOwner, listOrganizations, planOf } from './queries.ts';
export { setPlan } from './set-plan.ts';
export { memberSubject, organizationSubject, userSubject } from './subject.ts';
