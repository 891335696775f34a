import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { EVENT_STATUSES } from '../../../contract.ts';
import type { Window } from '../../../selection.ts';
import { labelEntries } from '../labels/label-entries.ts';
import { type Rollup, scansOf, splitForStored } from '../metrics/split-window.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import { matchesOf } from '../scan/match.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { LABEL_ROLLUPS, ROLLUP_DAYS, ROLLUP_HOURS } from '../sums/rollup-sums.ts';
import { isRolledUp, whereOf } from '../sums/sum-filters.ts';
import { countDaysOfUser, isSummedByUser } from './count-user-days.ts';

/** Maximum number of events to scan for a count: about a second. */
const MAX_EVENTS = 2_000_000;

/** Sums of sealed events that support a selection completely. */
type Summed = {
  /** Coarse to fine. */
  readonly rollups: readonly Rollup[];
  /** Number of events in whole hours or days; the window is in that unit. */
  count(reader: Reader, project: number, rollup: Rollup, window: Window): number;
};

/**
 * Number of stored events that match. Where sums support the selection, only the ragged ends of the window and the
 * unsealed events are scanned.
 * @throws AppError 400 if more than `MAX_EVENTS` events would have to be scanned
 */
export function countEvents(reader: Reader, selection: RowSelection, window: Window): number {
  const { userId, sessionId } = selection.filters;
  const summed = summedBy(selection);
  if (summed === null && sessionId === undefined && userId === undefined)
    refuseLongScan(reader, selection, window, {
      most: MAX_EVENTS,
      what: 'with these filters events are counted',
    });
  let count = 0;
  for (const project of reader.projects) {
    const parts =
      summed === null
        ? { sums: [], ends: [{ window, sign: 1 as const }], unsealed: window }
        : splitForStored(reader, project, window, summed.rollups);
    for (const { rollup, ...part } of parts.sums) count += summed?.count(reader, project, rollup, part) ?? 0;
    for (const { ref, window: own, sign } of scansOf(reader, project, parts))
      count += sign * countIn(ref, selection, own);
  }
  return count;
}

function countIn(ref: ChunkRef, selection: RowSelection, window: Window): number {
  const mask = matchesOf(ref.open(), selection, window);
  let count = 0;
  if (mask !== null) for (let place = 0; place < mask.length; place++) count += mask[place] as number;
  return count;
}

/** Events to scan for a count: all, or failed calls only. */
function eventsBehind({ filters: { status, errorCode, costStatus }, calls }: RowSelection): RowSelection {
  const failed = EVENT_STATUSES.filter((name) => name !== 'success');
  const wanted = errorCode === undefined ? (status ?? EVENT_STATUSES) : failed;
  const isRare = (calls || costStatus !== undefined) && ![wanted].flat().includes('success');
  return isRare ? { filters: { status: failed }, calls: true } : { filters: {}, calls: false };
}

/** @throws AppError 400 if a scan of the selection would read more than `most` events */
export function refuseLongScan(
  reader: Reader,
  selection: RowSelection,
  window: Window,
  { most, what }: { readonly most: number; readonly what: string },
): void {
  const events = countEvents(reader, eventsBehind(selection), window);
  if (events <= most) return;
  const [bound, found] = [most, events].map((count) => count.toLocaleString('en-US'));
  throw badRequest(`start: ${what} one by one, at most ${bound} of them, not ${found}; choose less time`);
}

/** The sums that support a selection completely; null if there are none. */
function summedBy(selection: RowSelection): Summed | null {
  const { keyId: _, tag: __, labels, ...rest } = selection.filters;
  if (isSummedByUser(selection))
    return {
      rollups: [ROLLUP_DAYS],
      count: (reader, project, _, days) => countDaysOfUser(reader, project, selection, days),
    };
  if (labels !== undefined) {
    const isAlone = Object.values(rest).every((filter) => filter === undefined);
    return isAlone && selection.calls && !selection.inSession ? summedByLabel(new Set(labels)) : null;
  }
  const { costStatus, ...others } = rest;
  if (selection.inSession || !isRolledUp(others)) return null;
  if (costStatus !== undefined && costStatus !== 'unpriced') return null;
  return summedByHour(selection);
}

/** Spans that are not counted as calls have no cost status, although the sums of their kind include them. */
function summedByHour({ filters: { costStatus, ...filters }, calls }: RowSelection): Summed {
  const { sql, args } = whereOf({ filters, calls: calls || costStatus !== undefined });
  const sum = costStatus === undefined ? 'total(requests)' : 'total(unpriced)';
  return {
    rollups: [ROLLUP_DAYS, ROLLUP_HOURS],
    count(reader, project, { table, column }, { from, to }) {
      const [row] = reader.rows(
        `SELECT ${sum} FROM ${table} WHERE project = ? AND ${column} >= ? AND ${column} < ?${sql}`,
        [project, from, to, ...args],
      );
      return Number(row?.[0] ?? 0);
    },
  };
}

function summedByLabel(wanted: ReadonlySet<number>): Summed {
  return {
    rollups: [ROLLUP_DAYS, ROLLUP_HOURS],
    count(reader, project, { ms }, window) {
      const rollup = LABEL_ROLLUPS.find((labels) => labels.ms === ms) ?? LABEL_ROLLUPS[0];
      const span = { rollup, ...window };
      let count = 0;
      for (const { columns } of labelEntries(reader, project, span, ['requests'])) {
        const [labels = [], requests = []] = columns;
        for (let i = 0; i < labels.length; i++)
          if (wanted.has(labels[i] as number)) count += requests[i] as number;
      }
      return count;
    },
  };
}
