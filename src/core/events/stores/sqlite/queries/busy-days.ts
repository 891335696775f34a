import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import { isRolledUpCondition } from '../filters/rolled-up.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { type Where, whereOf } from '../sums/sum-filters.ts';

/** Segments that are opened before it pays to ask which days have matching events. */
const TRIALS = 2;

/**
 * Tells whether a chunk may have matching events, so that a page of rare events skips most segments. A segment is
 * of one UTC day, and the sums by day tell which have some, as far as they support the filters.
 */
export function busyDays(
  reader: Reader,
  selection: RowSelection,
  window: Window,
): (chunk: ChunkRef) => boolean {
  const where = inSums(selection);
  const days = new Map<number, ReadonlySet<number>>();
  const read = (project: number, { sql, args }: Where): ReadonlySet<number> => {
    const rows = reader.rows(
      `SELECT DISTINCT day FROM rollup_days WHERE project = ? AND day >= ? AND day <= ?${sql}`,
      [project, Math.floor(window.from / DAY_MS), Math.floor(window.to / DAY_MS), ...args],
    );
    const found = new Set(rows.map(([day]) => Number(day)));
    days.set(project, found);
    return found;
  };
  let tried = 0;
  return ({ project, segment, first }) => {
    if (segment === null || where === null || tried++ < TRIALS) return true;
    return (days.get(project) ?? read(project, where)).has(Math.floor(first / DAY_MS));
  };
}

/** The part of a selection that the sums support; null if that is no filter. */
function inSums({ filters, calls }: RowSelection): Where | null {
  const {
    userId: _,
    sessionId: __,
    keyId: ___,
    tag: ____,
    labels: _____,
    costStatus,
    where,
    ...rest
  } = filters;
  const rolledUp = where?.filter(isRolledUpCondition);
  const known = { ...rest, where: rolledUp?.length === 0 ? undefined : rolledUp };
  if ([costStatus, ...Object.values(known)].every((filter) => filter === undefined)) return null;
  const sums = whereOf({ filters: known, calls: calls || costStatus !== undefined });
  return costStatus === 'unpriced' ? { ...sums, sql: `${sums.sql} AND unpriced > 0` } : sums;
}
