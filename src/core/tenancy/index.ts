import { bindRoutes } from '../../http/route.ts';
import type { Callers } from './caller.ts';

/** Binds an endpoint of a contract to its handler. The endpoint's `auth` determines the type of the caller. */
export const route = bindRoutes<Callers>();

export { admit, namedId } from './admit.ts';
export type { Callers, KeyScope, LoginSession, Person } from './caller.ts';
export { hasRole } from './has-role.ts';
export {
  checkedOrganization,
  checkedProject,
  type EventScope,
  extendScope,
  type OrganizationScope,
  ofProject,
  ofProjects,
  operatorOrganization,
  operatorScope,
  type ProjectScope,
  projectWithin,
} from './scope.ts';
export { scopesOf } from './scopes-of.ts';
