import type { Alert, AlertHistory, AlertState } from '../../src/features/alerts/contract.ts';
import { markOf } from '../../src/lib/billing/cost-mark.ts';
import { countText, numberText } from '../../src/lib/figures.ts';
import { type Cell, type CellValue, markedCost } from '../format.ts';
import type { ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { tinted } from '../report/figures.ts';

const TONES = { critical: 'bad', warning: 'warn', no_data: 'warn', pending: 'warn', ok: 'good' } as const;
export const stateCell = (state: AlertState): Cell => ({ text: state.replace('_', ' '), tone: TONES[state] });

function stateOf({ enabled, error, state, silencedUntil }: Alert): Cell {
  if (!enabled) return tinted('disabled', 'dim');
  if (error !== null) return { text: 'failing', tone: 'bad' };
  const cell = stateCell(state);
  return silencedUntil === null ? cell : { ...cell, text: `${cell.text}, silenced` };
}

/** What an alert compares, such as `> 0.05` or `up 50% sameTimeLastWeek`. */
export function conditionText({ condition }: Pick<Alert, 'condition'>): string {
  if (condition.kind === 'threshold') return `${condition.operator} ${condition.critical}`;
  if (condition.kind === 'change') return `${condition.direction} ${condition.percent}% ${condition.compare}`;
  return `anomaly, ${condition.sensitivity}`;
}

/** Formats a value of a measure. */
type FigureText = (measure: Alert['measure'], value: number) => string;
type Valued = { readonly value: number | null; readonly unpriced: number | null };

/** A value of an alert; a cost is marked where calls without a price are not in it. */
export function figureCell(
  figureText: FigureText,
  measure: Alert['measure'],
  { value, unpriced }: Valued,
): CellValue {
  const cell: Cell = { text: value === null ? '–' : figureText(measure, value), align: 'right' };
  const mark = markOf(measure, value, unpriced);
  return value === null && mark !== 'unpriced' ? null : markedCost(cell, mark);
}

/** Calls or runs of the window that the cost leaves out, or the groups that have such calls; null without any. */
function unpricedOf({ groupBy, groups, unpriced, calls }: Alert): string | null {
  if (groups.unpriced === 0) return null;
  if (groupBy !== null) return countText(groups.unpriced, 'group');
  return unpriced === null ? null : `${numberText(unpriced)} of ${numberText(calls ?? unpriced)}`;
}

/** One alert per row. */
export const alertColumns = (figureText: FigureText): readonly ListColumn<Alert>[] => [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'state', value: stateOf, fixed: true },
  { header: 'measure', value: ({ measure, window }) => `${measure} ${window}`, rank: 2 },
  { header: 'condition', value: conditionText, rank: 4 },
  {
    header: 'value',
    value: (alert) => figureCell(figureText, alert.measure, alert),
    fixed: true,
    rank: 1,
  },
  { header: 'unpriced', value: unpricedOf, fixed: true, rank: 3 },
  { header: 'by', value: ({ groupBy }) => groupBy, rank: 5 },
  {
    header: 'evaluated',
    value: ({ evaluatedAt }) => (evaluatedAt === null ? null : shortTime(Date.parse(evaluatedAt))),
    rank: 6,
  },
];

type Entry = AlertHistory['history'][number];

/** One change of state per row. */
export const historyColumns = (
  measure: Alert['measure'],
  figureText: FigureText,
): readonly ListColumn<Entry>[] => [
  { header: 'time', value: ({ at }) => tinted(shortTime(Date.parse(at)), 'dim'), fixed: true },
  { header: 'group', value: ({ group }) => group },
  { header: 'from', value: ({ from }) => stateCell(from), fixed: true },
  { header: 'to', value: ({ to }) => stateCell(to), fixed: true },
  { header: 'value', value: (entry) => figureCell(figureText, measure, entry), rank: 1 },
  { header: 'reason', value: ({ reason }) => reason?.replaceAll('_', ' ') ?? null, rank: 3 },
  {
    header: 'notified',
    value: ({ notified, superseded }) => (superseded ? tinted('superseded', 'dim') : notified),
    rank: 2,
  },
];
