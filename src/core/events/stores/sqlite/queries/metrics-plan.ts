import type { SqlValue } from '../../../../../db/connection.ts';
import type { EventDimension } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { bucketSql, dimensionSql } from '../rollups/dimensions.ts';
import { type Part, timeSql } from '../rollups/split-window.ts';
import type { Where } from '../rows/event-filters.ts';
import { FROM_TIMES } from '../sessions/session-times.ts';
import { FROM_USER, userArgs } from '../users/user-chunks.ts';

/** A prepared query, shared by sums and percentiles. */
export type Plan = {
  readonly bucketMs: number | null;
  readonly dimensions: readonly EventDimension[];
  readonly where: Where;
  /** Whether the query filters by status. */
  readonly byStatus: boolean;
  /** User filter, if any; users have an index. */
  readonly userId: string | null;
  /** Session filter, if any: candidate times of its events, as JSON, by project. */
  readonly sessionTimes: ReadonlyMap<number, string> | null;
  readonly window: Window;
  /** Parts per project of the scope. */
  readonly parts: readonly { readonly project: number; readonly parts: readonly Part[] }[];
};

/** The grouping keys as expressions over a part's table. */
export function keySql({ bucketMs, dimensions }: Plan, part: Part): string[] {
  const bucket = bucketMs === null ? [] : [bucketSql(bucketMs, part)];
  return [...bucket, ...dimensions.map((dimension) => dimensionSql(dimension, part))];
}

/** GROUP BY the first columns. */
export const groupBySql = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : `GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`;

/** FROM and WHERE over the rows or entries of a part of a project, with their arguments. */
export function fromPart(plan: Plan, project: number, part: Part): { sql: string; args: SqlValue[] } {
  const times = plan.sessionTimes?.get(project);
  if (part.source.table === 'events' && times !== undefined) {
    const sql = `${FROM_TIMES} AND ts >= ? AND ts < ?${plan.where.sql}`;
    return { sql, args: [times, project, part.from, part.to, ...plan.where.args] };
  }
  if (part.source.table === 'events' && plan.userId !== null) {
    const user = { project, userId: plan.userId, window: part };
    return { sql: FROM_USER + plan.where.sql, args: [...userArgs(user), ...plan.where.args] };
  }
  const time = timeSql(part, plan.byStatus);
  return {
    sql: `FROM ${part.source.table} WHERE project = ? AND ${time.sql}${plan.where.sql}`,
    args: [project, ...time.args, ...plan.where.args],
  };
}
