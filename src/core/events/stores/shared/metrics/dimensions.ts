import type { SqlValue } from '../../../../../db/connection.ts';
import { providerName } from '../../../../pricing/index.ts';
import { EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';
import { type Dimension, EVENT_DIMENSIONS, type EventDimension } from '../../../metrics.ts';

/** The columns of roll-ups; '' means no value. Events have the other dimensions alone. */
const ROLLED = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  errorCode: 'error_code',
  status: 'status',
  kind: 'kind',
} as const satisfies Partial<Record<Dimension, string>>;

const isRolled = (dimension: Dimension): dimension is keyof typeof ROLLED => dimension in ROLLED;

/** Whether roll-ups have all of some dimensions. */
export const areRolled = (dimensions: readonly Dimension[]): boolean => dimensions.every(isRolled);

/** The column of a dimension in roll-ups. */
export function rolledColumn(dimension: Dimension): string {
  if (!isRolled(dimension)) throw new Error(`roll-ups have no ${dimension}`);
  return ROLLED[dimension];
}

const EVENT_NAMES: ReadonlySet<string> = new Set(EVENT_DIMENSIONS);

/** Whether it is a dimension with one value per event. */
export const isEventDimension = (dimension: Dimension): dimension is EventDimension =>
  EVENT_NAMES.has(dimension);

/**
 * The key of a group as figures have it: providers under one name, whichever client sent the calls.
 * @param first the place of the first dimension
 */
export function namedKey(
  dimensions: readonly Dimension[],
  first: number,
): (key: readonly SqlValue[]) => readonly SqlValue[] {
  const place = dimensions.indexOf('provider');
  if (place < 0) return (key) => key;
  return (key) => key.with(first + place, namedProvider(key[first + place] ?? null));
}

/** A stored provider under the name that figures have for it. */
export const namedProvider = <V extends SqlValue>(stored: V): V | string =>
  typeof stored === 'string' ? providerName(stored) : stored;

const NAMES: Partial<Readonly<Record<Dimension, readonly string[]>>> = {
  status: EVENT_STATUSES,
  kind: EVENT_KINDS,
};

/** Converts a stored value to its name; null if the events have none. */
export function dimensionValue(dimension: Dimension, value: SqlValue): string | null {
  const names = NAMES[dimension];
  if (names !== undefined) return names[Number(value)] ?? null;
  if (!isEventDimension(dimension)) return value === null ? null : String(value);
  if (value === '' || value === null) return null;
  return dimension === 'provider' ? providerName(String(value)) : String(value);
}
