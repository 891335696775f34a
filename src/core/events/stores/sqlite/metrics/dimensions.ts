import type { SqlValue } from '../../../../../db/connection.ts';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';
import type { Dimension, EventDimension } from '../../../metrics.ts';

type DimensionDef = {
  /** The column in the sums and of events; '' means no value. */
  readonly column: string;
  readonly names?: readonly string[];
};

/** Dimensions to group by. The sums have no users and sessions. */
export const DIMENSIONS = {
  model: { column: 'model' },
  provider: { column: 'provider' },
  environment: { column: 'environment' },
  errorCode: { column: 'error_code' },
  status: { column: 'status', names: EVENT_STATUSES },
  kind: { column: 'kind', names: EVENT_KINDS },
  userId: { column: 'user_id' },
  sessionId: { column: 'session_id' },
} as const satisfies Record<EventDimension, DimensionDef>;

/** Whether it is a dimension with one value per event. */
export const isEventDimension = (dimension: Dimension): dimension is EventDimension =>
  dimension in DIMENSIONS;

/** Converts a stored value to its name; null if the events have none. */
export function dimensionValue(dimension: EventDimension, value: SqlValue): string | null {
  const def: DimensionDef = DIMENSIONS[dimension];
  if (def.names !== undefined) return def.names[Number(value)] ?? null;
  return value === '' || value === null ? null : String(value);
}
