import type { Connection } from '../../db/connection.ts';

/**
 * How the log is copied to another file: its triggers accept only entries that continue a chain, and write the ends
 * of the chains themselves.
 */
export const AUDIT_COPY = {
  leftOut: ['audit_heads'],
  order: { audit_log: 'organization_id, seq' },
} as const;

/** The ends of all chains, as a text to compare. */
export const chainEnds = (connection: Connection): string =>
  JSON.stringify(connection.prepare('SELECT * FROM audit_heads ORDER BY 1').raw(true).all([]));
