import type { SqlValue } from '../../db/connection.ts';
import { bucketSql, type Dimension, dimensionSql } from './dimensions.ts';
import type { Where, Window } from './event-filters.ts';
import type { Part } from './split-window.ts';

/** A query made ready: what both the sums and the percentiles are read by. */
export type Plan = {
  readonly bucketMs: number | null;
  readonly dimensions: readonly Dimension[];
  readonly where: Where;
  /** Whether only some statuses are asked for. */
  readonly byStatus: boolean;
  readonly window: Window;
  /** Of each project in the scope. */
  readonly parts: readonly { readonly project: number; readonly parts: readonly Part[] }[];
};

/** What is grouped by, as expressions over the table of a part. */
export function keySql({ bucketMs, dimensions }: Plan, part: Part): string[] {
  const bucket = bucketMs === null ? [] : [bucketSql(bucketMs, part)];
  return [...bucket, ...dimensions.map((dimension) => dimensionSql(dimension, part))];
}

/** GROUP BY the first columns. */
export const groupBySql = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : `GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`;

/** What a group is known by while parts are merged. */
export const groupId = (key: readonly SqlValue[]): string => key.join('\0');
