import type { SqlValue } from '../../db/connection.ts';
import type { Effect } from '../../db/effects.ts';
import { quotaExceeded } from '../../errors.ts';
import type { RecordOutcome } from '../events/index.ts';
import { createQuotaWarner } from './quota-warned.ts';

/** An organization's month, by the time of receipt. */
export type UsageCount = {
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

/**
 * Counts stored events against the month and the day. Refuses the batch with 429 when the month has fewer left.
 * Returns whether a threshold was reached for the first time, which it records too.
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
