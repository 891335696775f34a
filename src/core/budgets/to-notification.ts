import { moneyText, numberText } from '../../lib/figures.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Notification } from '../deliveries/index.ts';
import { toOf } from './queries.ts';
import type { Standing } from './status.ts';

/**
 * The notification that a budget has crossed a level. The id of an end user is not in it for people, except in a name
 * that somebody gave to the budget.
 * @param level in percent
 */
export function toNotification({ row, period, spent }: Standing, level: number): Notification {
  const { id, organizationId, name, projectId, userId, limitNano } = row;
  const [spentUsd, limitUsd] = [spent.nano / 1e9, limitNano / 1e9];
  const isOver = level >= 100;
  const summary = `Budget "${name}" has ${isOver ? 'exceeded its limit' : `reached ${level}%`}`;
  const [periodStart, periodEnd] = [formatInstant(period.from), formatInstant(period.to)];
  const path = projectId === null ? '/' : `/projects/${projectId}/budgets`;
  return {
    organizationId,
    projectId,
    userId: projectId === null ? null : userId,
    type: 'budget.crossed',
    data: {
      budget: { id, name, of: toOf(row), period: row.period },
      projectId,
      level,
      spentUsd,
      limitUsd,
      unpriced: spent.unpriced,
      periodStart,
      periodEnd,
      summary,
    },
    message: {
      title: summary,
      text: `${moneyText(spentUsd)} of ${moneyText(limitUsd)} are spent this ${row.period}.`,
      facts: [
        { label: 'Spent', value: moneyText(spentUsd) },
        { label: 'Limit', value: moneyText(limitUsd) },
        { label: 'Period', value: `${periodStart.slice(0, 10)}, ${row.period}` },
        ...(spent.unpriced === 0
          ? []
          : [{ label: 'Calls without a price', value: numberText(spent.unpriced) }]),
      ],
      severity: isOver ? 'critical' : 'warning',
      subject: `budget ${id} ${periodStart}`,
      link: { label: 'Open Spanledger', path },
    },
  };
}
