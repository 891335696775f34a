import type { SqlValue } from '../../../../../db/connection.ts';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';
import type { Dimension, EventDimension } from '../../../metrics.ts';
import type { Part } from './split-window.ts';

type DimensionDef = {
  /** The column's name in both tables, and how rows write what a roll-up holds: '' where there is nothing. */
  readonly column: string;
  readonly raw: string;
  readonly rolledUp: boolean;
  readonly names?: readonly string[];
};

const text = (column: string, rolledUp = true): DimensionDef => ({
  column,
  raw: `ifnull(${column}, '')`,
  rolledUp,
});

/** What numbers can be grouped by. */
export const DIMENSIONS = {
  model: text('model'),
  provider: text('provider'),
  environment: text('environment'),
  errorCode: text('error_code'),
  status: { column: 'status', raw: 'status', rolledUp: true, names: EVENT_STATUSES },
  kind: { column: 'kind', raw: 'kind', rolledUp: true, names: EVENT_KINDS },
  userId: text('user_id', false),
  sessionId: text('session_id', false),
} as const satisfies Record<EventDimension, DimensionDef>;

/** The dimension as an expression over the table of a part. */
export const dimensionSql = (dimension: EventDimension, { source }: Part): string =>
  source.table === 'events' ? DIMENSIONS[dimension].raw : DIMENSIONS[dimension].column;

/** The number of the bucket in which an entry lies: its time divided by the bucket's length. */
export const bucketSql = (bucketMs: number, { source }: Part): string =>
  bucketMs === source.ms ? source.column : `${source.column} / ${bucketMs / source.ms}`;

/** Whether it is one of those that each event has a value of. */
export const isEventDimension = (dimension: Dimension): dimension is EventDimension =>
  dimension in DIMENSIONS;

/** A value of the store as the word that stands for it; null where the events have none. */
export function dimensionValue(dimension: EventDimension, value: SqlValue): string | null {
  const def: DimensionDef = DIMENSIONS[dimension];
  if (def.names !== undefined) return def.names[Number(value)] ?? null;
  return value === '' || value === null ? null : String(value);
}
