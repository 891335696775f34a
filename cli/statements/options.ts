import { z } from 'zod';
import { statementBy } from '../../src/features/statements/contract.ts';

/** Who statements are for. */
export const byOption = {
  value: 'PARTY',
  summary: 'project, user, key or tag:NAME',
  type: statementBy,
  default: 'project',
} as const;

export const monthType = z
  .string()
  .regex(/^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/, 'expected a month such as 2026-10');

/** The month before now (UTC), which is the next to be closed. */
export function lastMonth(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
