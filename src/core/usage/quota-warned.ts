import { defineDurableEvent } from '../../context.ts';
import type { Connection } from '../../db/connection.ts';
import { createOutboxWriter } from '../outbox/index.ts';

/** What quotas count: events, and their bytes as the log stores them. */
export const QUOTA_UNITS = ['events', 'bytes'] as const;
export type QuotaUnit = (typeof QUOTA_UNITS)[number];

/** An amount of each. */
export type Usage = Readonly<Record<QuotaUnit, number>>;

/** A warning that an organization has used 80 or 100 per cent of a monthly quota. */
export type QuotaWarning = {
  readonly organizationId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Percentage of `quota`: 80 or 100. */
  readonly threshold: number;
  /** What the organization may store in the month, in events or bytes. */
  readonly quota: number;
  /** Unset in warnings of version 0.2, which are about events. */
  readonly unit?: QuotaUnit;
};

export const quotaWarned = defineDurableEvent<QuotaWarning>('quota.warned');

/**
 * Records warnings and emits `quotaWarned`, once per month, unit, threshold and quota, in the transaction that is open on the
 * connection. `warn` returns false if the warning was recorded before.
 */
export function createQuotaWarner(connection: Connection): {
  warn(warning: QuotaWarning, now: number): boolean;
} {
  const outbox = createOutboxWriter(connection);
  const insert = connection.prepare(
    `INSERT INTO quota_warnings (organization_id, month, unit, threshold, quota, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  return {
    warn(warning, now) {
      const { organizationId, month, unit = 'events', threshold, quota } = warning;
      if (insert.run([organizationId, month, unit, threshold, quota, now]).changes === 0) return false;
      outbox.add(quotaWarned, warning, now);
      return true;
    },
  };
}
