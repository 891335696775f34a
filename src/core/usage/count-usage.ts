import type { Connection, SqlValue } from '../../db/connection.ts';
import type { Effect } from '../../db/effects.ts';
import { quotaExceeded } from '../../errors.ts';
import type { RecordedBatch } from '../events/index.ts';
import { createQuotaWarner, QUOTA_UNITS, type Usage } from './quota-warned.ts';

/** What to count a batch against: an organization's month, by time of receipt. */
export type UsageCount = {
  readonly organizationId: string;
  /** Time of receipt in epoch milliseconds, and its UTC day as `YYYY-MM-DD`. */
  readonly now: number;
  readonly day: string;
  /** What the organization may store in the month. */
  readonly quota: Usage;
  /** Seconds until next month, for `Retry-After`. */
  readonly resetSeconds: number;
};

/** Percentages of a quota at which the organization is warned. */
const THRESHOLDS = [80, 100] as const;

/** Reads what an organization has used of a month (`YYYY-MM`). */
export function createMonthReader(connection: Connection): (organizationId: string, month: string) => Usage {
  const read = connection
    .prepare('SELECT events, bytes FROM usage_months WHERE organization_id = ? AND month = ?')
    .raw(true);
  return (organizationId, month) => {
    const [row] = read.all([organizationId, month]) as SqlValue[][];
    return { events: Number(row?.[0] ?? 0), bytes: Number(row?.[1] ?? 0) };
  };
}

/**
 * Counts stored events and their bytes by month and day. Throws 429, which rejects the batch, if it would exceed one of
 * the monthly quotas. Returns whether the batch reached a threshold for the first time; the warning is recorded too.
 */
export const countUsage: Effect<UsageCount, RecordedBatch, boolean> = {
  name: 'usage.count',
  open(connection) {
    const readMonth = createMonthReader(connection);
    const [countMonth, countDay] = ['month', 'day'].map((unit) =>
      connection.prepare(
        `INSERT INTO usage_${unit}s (organization_id, ${unit}, events, bytes) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET events = events + excluded.events, bytes = bytes + excluded.bytes`,
      ),
    );
    const warner = createQuotaWarner(connection);
    return {
      apply({ organizationId, now, day, quota, resetSeconds }, { stored, bytes }) {
        if (stored === 0) return false;
        const month = day.slice(0, 7);
        const before = readMonth(organizationId, month);
        const after: Usage = { events: before.events + stored, bytes: before.bytes + bytes };
        if (QUOTA_UNITS.some((unit) => after[unit] > quota[unit])) throw quotaExceeded(resetSeconds);
        countMonth?.run([organizationId, month, stored, bytes]);
        countDay?.run([organizationId, day, stored, bytes]);
        const warned = QUOTA_UNITS.flatMap((unit) =>
          THRESHOLDS.filter(
            (per) => before[unit] * 100 < per * quota[unit] && after[unit] * 100 >= per * quota[unit],
          ).map((threshold) =>
            warner.warn({ organizationId, month, unit, threshold, quota: quota[unit] }, now),
          ),
        );
        return warned.includes(true);
      },
    };
  },
};
