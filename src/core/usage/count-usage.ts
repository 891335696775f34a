import type { SqlValue } from '../../db/connection.ts';
import type { Effect } from '../../db/effects.ts';
import { quotaExceeded } from '../../errors.ts';
import type { RecordOutcome } from '../events/index.ts';
import { createQuotaWarner } from './quota-warned.ts';

/** What to count a batch against: an organization's month, by time of receipt. */
export type UsageCount = {
  readonly organizationId: string;
  /** Time of receipt in epoch milliseconds, and its UTC day as `YYYY-MM-DD`. */
  readonly now: number;
  readonly day: string;
  /** Events that the organization may send in the month. */
  readonly quota: number;
  /** Seconds until next month, for `Retry-After`. */
  readonly resetSeconds: number;
};

/** Percentages of the quota at which the organization is warned. */
const THRESHOLDS = [80, 100] as const;

/**
 * Counts stored events by month and day. Throws 429, which rejects the batch, if it would exceed the monthly quota.
 * Returns whether the batch reached a threshold for the first time; the warning is recorded too.
 */
export const countUsage: Effect<UsageCount, RecordOutcome, boolean> = {
  name: 'usage.count',
  open(connection) {
    const readMonth = connection
      .prepare('SELECT events FROM usage_months WHERE organization_id = ? AND month = ?')
      .raw(true);
    const [countMonth, countDay] = ['month', 'day'].map((unit) =>
      connection.prepare(
        `INSERT INTO usage_${unit}s (organization_id, ${unit}, events) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET events = events + excluded.events`,
      ),
    );
    const warner = createQuotaWarner(connection);
    return {
      apply({ organizationId, now, day, quota, resetSeconds }, { stored }) {
        if (stored === 0) return false;
        const month = day.slice(0, 7);
        const [row] = readMonth.all([organizationId, month]) as SqlValue[][];
        const before = Number(row?.[0] ?? 0);
        const after = before + stored;
        if (after > quota) throw quotaExceeded(resetSeconds);
        countMonth?.run([organizationId, month, stored]);
        countDay?.run([organizationId, day, stored]);
        const reached = THRESHOLDS.filter((per) => before * 100 < per * quota && after * 100 >= per * quota);
        const warned = reached.map((threshold) =>
          warner.warn({ organizationId, month, threshold, quota }, now),
        );
        return warned.includes(true);
      },
    };
  },
};
