import { ROLES, type Role } from './contract.ts';

/** Whether `role` has the rights of `least`. No role has those of an unknown one. */
export const hasRole = (role: Role, least: string): boolean =>
  ROLES.indexOf(role) <= (ROLES as readonly string[]).indexOf(least);
