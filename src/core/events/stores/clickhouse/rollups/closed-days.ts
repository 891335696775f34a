import { DAY_MS } from '../../../../../lib/time.ts';
import type { Condition } from '../../../filter/contract.ts';
import type { EventFilters, Window } from '../../../selection.ts';
import { areRolled } from '../../shared/metrics/dimensions.ts';
import type { Engine } from '../engine/engine.ts';
import { all, any, int, ints, raw, type Sql, sql } from '../engine/sql.ts';
import type { Calls } from '../metrics/calls.ts';

/** A day of a project with current sums, and the number of their build. */
export type ClosedDay = { readonly project: number; readonly day: number; readonly built: string };

const FILTERS: ReadonlySet<string> = new Set<keyof EventFilters>([
  'model',
  'provider',
  'environment',
  'status',
  'errorCode',
  'kind',
  'where',
]);
const FIELDS: ReadonlySet<string> = new Set<Condition['field']>([
  'model',
  'provider',
  'environment',
  'status',
  'error',
  'kind',
  'guardrail',
]);

/** Whether sums by day tell what is asked. */
export const isRolledUp = ({ filters, dimensions, division }: Omit<Calls, 'window'>): boolean =>
  areRolled(dimensions) &&
  Object.entries(filters).every(([name, value]) => value === undefined || FILTERS.has(name)) &&
  (filters.where ?? []).every(({ field }) => FIELDS.has(field)) &&
  (division === null ||
    (division.fixed !== null && division.fixed.ms % DAY_MS === 0 && division.fixed.shift % DAY_MS === 0));

/** The whole days of a window that have current sums, in order. */
export async function readClosedDays(
  engine: Engine,
  projects: readonly number[],
  { from, to }: Window,
): Promise<ClosedDay[]> {
  const [first, end] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
  if (first >= end) return [];
  const own = sql`project IN ${ints(projects)} AND day >= ${int(first)} AND day < ${int(end)}`;
  return engine.read<ClosedDay>(
    projects,
    sql`SELECT project, day, toString(build.1) AS built FROM (
        SELECT project, day, max((built, marks)) AS build FROM rollup_builds WHERE ${own} GROUP BY project, day
      ) AS day_builds LEFT JOIN (
        SELECT project, day, sum(marks) AS marked FROM rollup_marks WHERE ${own} GROUP BY project, day
      ) AS day_marks USING (project, day)
      WHERE build.2 = marked ORDER BY project, day`,
  );
}

/** The sums of some days, with the start of the day as `ts`. */
export function rollupRows(days: readonly ClosedDay[]): Sql {
  const projects = [...new Set(days.map(({ project }) => project))];
  const builds = days.map(({ project, day, built }) => `(${project}, ${day}, ${BigInt(built)})`);
  return sql`(SELECT *, toInt64(day) * ${int(DAY_MS)} AS ts FROM rollup_days
    WHERE project IN ${ints(projects)} AND (project, day, built) IN ${raw(`(${builds.join(', ')})`)})`;
}

/** The rows of a window that are in none of some days. */
export const outsideOf = (days: readonly ClosedDay[], projects: readonly number[], window: Window): Sql => {
  const byProject = Map.groupBy(days, ({ project }) => project);
  return any(
    projects.flatMap((project) =>
      restOf(byProject.get(project) ?? [], window).map(({ from, to }) =>
        all([
          sql`project = ${raw(String(project))}`,
          sql`ts >= ${raw(String(Math.ceil(from)))}`,
          sql`ts < ${raw(String(Math.ceil(to)))}`,
        ]),
      ),
    ),
  );
};

/** @param days of one project, in order */
function restOf(days: readonly ClosedDay[], { from, to }: Window): Window[] {
  const parts: Window[] = [];
  let at = from;
  for (const { day } of days) {
    if (at < day * DAY_MS) parts.push({ from: at, to: day * DAY_MS });
    at = (day + 1) * DAY_MS;
  }
  if (at < to) parts.push({ from: at, to });
  return parts;
}
