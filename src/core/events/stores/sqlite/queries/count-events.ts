import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { EVENT_STATUSES } from '../../../contract.ts';
import type { Window } from '../../../selection.ts';
import type { RowSelection } from '../../log/scan/row-selection.ts';
import { labelEntries } from '../labels/label-entries.ts';
import { LABEL_ROLLUPS } from '../labels/label-rollup.ts';
import { ROLLUPS } from '../rollups/rollup.ts';
import { RAW_ROWS, splitForRows } from '../rollups/split-window.ts';
import { isRolledUp, type Where, whereOf } from '../rows/event-filters.ts';
import { FROM_TIMES, sessionTimes } from '../sessions/session-times.ts';
import { countOfUser } from '../users/count-user.ts';

/** Maximum number of rows to read for a count: one or two seconds. */
const MAX_ROWS = 2_000_000;

/**
 * Number of stored events that match: from the roll-ups if they support the filters, otherwise from rows.
 * @throws AppError 400 if more than `MAX_ROWS` rows would have to be read
 */
export function countEvents(reader: Reader, selection: RowSelection, window: Window): number {
  const where = whereOf(selection);
  const { userId, sessionId } = selection.filters;
  const ways = waysToCount(selection);
  const labels = labelsAlone(selection);
  if (ways === null && labels === null && sessionId === undefined && userId === undefined)
    refuseTooMany(countEvents(reader, rowsBehind(selection), window));
  let count = 0;
  for (const project of reader.projects) {
    if (sessionId !== undefined) {
      const times = sessionTimes(reader, project, [sessionId], window).get(sessionId);
      const [row] = reader.rows(`SELECT count(*) ${FROM_TIMES}${where.sql}`, [
        JSON.stringify(times),
        project,
        ...where.args,
      ]);
      count += Number(row?.[0] ?? 0);
      continue;
    }
    if (userId !== undefined) {
      count += countOfUser(reader, { project, userId, window }, selection);
      continue;
    }
    const parts =
      ways === null && labels === null
        ? [{ source: RAW_ROWS, ...window }]
        : splitForRows(reader, project, window);
    for (const { source, from, to } of parts) {
      const rollup = LABEL_ROLLUPS.find(({ ms }) => ms === source.ms);
      if (labels !== null && rollup !== undefined) {
        for (const { columns } of labelEntries(reader, project, { rollup, from, to }, ['requests']))
          count += countOf(labels, columns);
        continue;
      }
      const way = ways?.find(({ ms }) => ms === source.ms);
      const { table, column, sum, sql, args } = way ?? { ...RAW_ROWS, sum: 'count(*)', ...where };
      const unit = way === undefined ? source.ms : 1;
      const [row] = reader.rows(
        `SELECT ${sum} FROM ${table} WHERE project = ? AND ${column} >= ? AND ${column} < ?${sql}`,
        [project, from * unit, to * unit, ...args],
      );
      count += Number(row?.[0] ?? 0);
    }
  }
  return count;
}

/** Rows to read for a count: all events, or those in the index of unsuccessful events. */
function rowsBehind({ filters: { status, errorCode, costStatus }, calls }: RowSelection): RowSelection {
  const failed = EVENT_STATUSES.filter((name) => name !== 'success');
  const wanted = errorCode === undefined ? (status ?? EVENT_STATUSES) : failed;
  const isIndexed = (calls || costStatus !== undefined) && ![wanted].flat().includes('success');
  return isIndexed ? { filters: { status: failed }, calls: true } : { filters: {}, calls: false };
}

function refuseTooMany(rows: number): void {
  if (rows <= MAX_ROWS) return;
  const [most, found] = [MAX_ROWS, rows].map((count) => count.toLocaleString('en-US'));
  throw badRequest(
    `start: with these filters events are counted one by one, at most ${most} of them, not ${found}; choose less time`,
  );
}

type Way = Where & {
  readonly table: string;
  readonly column: string;
  readonly ms: number;
  readonly sum: string;
};

/** The sums that support a selection completely, and the column to add; null if only rows do. */
function waysToCount(selection: RowSelection): Way[] | null {
  const { costStatus, keyId: _, tag: __, labels, ...rest } = selection.filters;
  // Spans that are not counted as calls have no cost status, although the sums of their kind include them.
  const others = { ...selection, filters: rest, calls: selection.calls || costStatus !== undefined };
  if (labels === undefined && (costStatus === undefined || costStatus === 'unpriced') && isRolledUp(rest)) {
    const sum = costStatus === undefined ? 'total(requests)' : 'total(unpriced)';
    return ROLLUPS.map((rollup) => ({ ...rollup, sum, ...whereOf(others) }));
  }
  return null;
}

/** The selected labels, if their sums support the selection completely. */
function labelsAlone({ filters, calls, inSession }: RowSelection): ReadonlySet<number> | null {
  const { keyId: _, tag: __, labels, ...rest } = filters;
  const isAlone = Object.values(rest).every((filter) => filter === undefined);
  return labels === undefined || !isAlone || !calls || inSession ? null : new Set(labels);
}

function countOf(wanted: ReadonlySet<number>, [labels, requests]: readonly Float64Array[]): number {
  let count = 0;
  for (const [i, label] of (labels ?? []).entries()) if (wanted.has(label)) count += requests?.[i] ?? 0;
  return count;
}
