import { defineDurableEvent } from '../../context.ts';
import type { Connection } from '../../db/connection.ts';
import { createOutboxWriter } from '../outbox/index.ts';

/** A warning that an organization has used 80 or 100 per cent of its monthly quota. */
export type QuotaWarning = {
  readonly organizationId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Percentage of `quota`: 80 or 100. */
  readonly threshold: number;
  /** Maximum number of events of the organization in the month. */
  readonly quota: number;
};

export const quotaWarned = defineDurableEvent<QuotaWarning>('quota.warned');

/**
 * Records warnings and emits `quotaWarned`, once per month, threshold and quota, in the transaction that is open on the
 * connection. `warn` returns false if the warning was recorded before.
 */
export function createQuotaWarner(connection: Connection): {
  warn(warning: QuotaWarning, now: number): boolean;
} {
  const outbox = createOutboxWriter(connection);
  const insert = connection.prepare(
    `INSERT INTO quota_warnings (organization_id, month, threshold, quota, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  return {
    warn(warning, now) {
      const { organizationId, month, threshold, quota } = warning;
      if (insert.run([organizationId, month, threshold, quota, now]).changes === 0) return false;
      outbox.add(quotaWarned, warning, now);
      return true;
    },
  };
}
