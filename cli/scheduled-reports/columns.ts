import type { ScheduledReport } from '../../src/features/scheduled-reports/contract.ts';
import type { Cell } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** `Mon 08:00 Europe/Berlin`. */
export function scheduleText({ period, day, hour, timeZone }: ScheduledReport): string {
  const on = { day: 'daily', week: WEEKDAYS[day - 1] ?? '', month: `day ${day}` }[period];
  return `${on} ${String(hour).padStart(2, '0')}:00 ${timeZone}`;
}

const nextOf = ({ nextAt }: ScheduledReport): Cell =>
  nextAt === null ? { text: 'paused', tone: 'warn' } : { text: shortTime(Date.parse(nextAt)) };

/** One scheduled report per row; times in UTC. */
export const reportColumns: readonly Column<ScheduledReport>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'covers', value: ({ period }) => period, fixed: true },
  { header: 'sent', value: scheduleText },
  {
    header: 'to',
    value: ({ recipients, channelIds }) =>
      [
        ...recipients
          .filter(({ unsubscribedAt }) => unsubscribedAt === null)
          .map(({ email, userId }) => email ?? userId),
        ...channelIds,
      ].join(', '),
  },
  { header: 'next', value: nextOf },
];
