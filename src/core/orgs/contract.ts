import { z } from 'zod';

/** A name that a person gives to something: trimmed, 1 to 200 characters. */
export const displayName = z.string().trim().min(1).max(200);
/** An e-mail address in lower case, as it is kept. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** An id or an unambiguous name. */
export const idOrName = z.string().trim().min(1).max(200);

/** Most rights first: see decisions.md, Sign-in and people. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

/** An organization as lists show it; times are ISO 8601 UTC. */
export type OrganizationRow = {
  readonly id: string;
  readonly name: string;
  readonly plan: 'free' | 'pro' | 'scale';
  /** Events a month in force, the plan's or the operator's. */
  readonly monthlyEvents: number;
  /** Days of retention in force. */
  readonly retentionDays: number;
  readonly createdAt: string;
};
