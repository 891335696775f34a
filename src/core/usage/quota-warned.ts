import { type Ctx, defineDurableEvent } from '../../context.ts';
import type { Connection } from '../../db/connection.ts';
import { bytesText, numberText } from '../../lib/figures.ts';
import { createNotifier, type Notification, notificationsWritten } from '../deliveries/index.ts';
import { createOutboxWriter, outboxWritten } from '../outbox/index.ts';

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

/** Call this after committing warnings, so that they are delivered immediately. */
export function emitWarned(ctx: Ctx): void {
  ctx.emit(outboxWritten);
  ctx.emit(notificationsWritten);
}

/**
 * Records warnings, notifies channels and emits `quotaWarned`, once per month, unit, threshold and quota, in the transaction that is open on the
 * connection. `warn` returns false if the warning was recorded before.
 */
export function createQuotaWarner(connection: Connection): {
  warn(warning: QuotaWarning, now: number): boolean;
} {
  const outbox = createOutboxWriter(connection);
  const notifier = createNotifier(connection);
  const insert = connection.prepare(
    `INSERT INTO quota_warnings (organization_id, month, unit, threshold, quota, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  return {
    warn(warning, now) {
      const { organizationId, month, unit = 'events', threshold, quota } = warning;
      if (insert.run([organizationId, month, unit, threshold, quota, now]).changes === 0) return false;
      outbox.add(quotaWarned, warning, now);
      notifier.add(toNotification(warning), now);
      return true;
    },
  };
}

/** The notification of a warning. */
function toNotification({
  organizationId,
  month,
  threshold,
  quota,
  unit = 'events',
}: QuotaWarning): Notification {
  const amount = unit === 'events' ? `${numberText(quota)} events` : `${bytesText(quota)} of events`;
  const isUsedUp = threshold >= 100;
  const used = isUsedUp ? 'is used up' : `is used to ${threshold}%`;
  const then = isUsedUp
    ? 'Further events are refused until next month.'
    : 'When it is used up, further events are refused until next month.';
  const summary = `The monthly quota of ${amount} ${used}`;
  return {
    organizationId,
    type: 'quota.warned',
    data: { month, unit, threshold, quota, summary },
    message: {
      title: summary,
      text: then,
      facts: [
        { label: 'Month', value: month },
        { label: 'Used', value: `${threshold}%` },
        { label: 'Quota', value: amount },
      ],
      severity: isUsedUp ? 'critical' : 'warning',
      subject: `quota ${organizationId} ${month} ${unit}`,
      link: { label: 'Open Spanledger', path: '/' },
    },
  };
}
