import { ROLES, type Role } from './contract.ts';

/** Whether `role` is at least `least`; false if `least` is unknown. */
export const hasRole = (role: Role, least: string): boolean =>
  ROLES.indexOf(role) <= (ROLES as readonly string[]).indexOf(least);
