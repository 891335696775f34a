import type { SqlValue } from '../../../../../db/connection.ts';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';
import type { Dimension, EventDimension } from '../../../metrics.ts';
import type { Part } from './split-window.ts';

type DimensionDef = {
  /** The column in both tables, and the SQL over rows for the roll-up's value; '' means no value. */
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

/** Dimensions to group by. */
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

/** Bucket number of an entry: its time divided by the bucket's length. */
export const bucketSql = (bucketMs: number, { source }: Part): string =>
  bucketMs === source.ms ? source.column : `${source.column} / ${bucketMs / source.ms}`;

/** Whether it is a dimension with one value per event. */
export const isEventDimension = (dimension: Dimension): dimension is EventDimension =>
  dimension in DIMENSIONS;

/** Converts a stored value to its name; null if the events have none. */
export function dimensionValue(dimension: EventDimension, value: SqlValue): string | null {
  const def: DimensionDef = DIMENSIONS[dimension];
  if (def.names !== undefined) return def.names[Number(value)] ?? null;
  return value === '' || value === null ? null : String(value);
}
