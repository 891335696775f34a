import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { quotaExceeded } from '../../../../../errors.ts';

/** An organization's month, by the time of receipt. */
export type UsageBatch = {
  readonly organizationId: string;
  /** Epoch milliseconds, and the day of it in UTC, `YYYY-MM-DD`. */
  readonly now: number;
  readonly day: string;
  /** How many events the organization may have in the month. */
  readonly quota: number;
  /** Seconds to the start of next month, for the refusal. */
  readonly resetSeconds: number;
};

/** Per cent of the quota at which an organization is warned. */
const THRESHOLDS = [80, 100] as const;

/** Counts stored events against the month, within the transaction of the rows. */
export type UsageCounter = {
  /**
   * Throws 429 when the month has fewer left.
   * @returns whether a threshold was reached for the first time, which is recorded too
   */
  count(batch: UsageBatch, events: number): boolean;
};

export function createUsageCounter(connection: Connection): UsageCounter {
  const readMonth = connection
    .prepare('SELECT events FROM usage_months WHERE organization_id = ? AND month = ?')
    .raw(true);
  const [countMonth, countDay] = ['month', 'day'].map((unit) =>
    connection.prepare(
      `INSERT INTO usage_${unit}s (organization_id, ${unit}, events) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET events = events + excluded.events`,
    ),
  );
  const warn = connection.prepare(
    `INSERT INTO quota_warnings (organization_id, month, threshold, quota, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );

  return {
    count({ organizationId, now, day, quota, resetSeconds }, events) {
      if (events === 0) return false;
      const month = day.slice(0, 7);
      const [row] = readMonth.all([organizationId, month]) as SqlValue[][];
      const before = Number(row?.[0] ?? 0);
      const after = before + events;
      if (after > quota) throw quotaExceeded(resetSeconds);
      countMonth?.run([organizationId, month, events]);
      countDay?.run([organizationId, day, events]);
      const reached = THRESHOLDS.filter((per) => before * 100 < per * quota && after * 100 >= per * quota);
      const recorded = reached.map((per) => warn.run([organizationId, month, per, quota, now]).changes);
      return recorded.some((changes) => changes > 0);
    },
  };
}
