import type { Ctx } from '../../../../context.ts';
import type { ReadOp } from '../../../../db/reader.ts';
import type { EventReads } from '../../store.ts';

/** Reads of figures. */
type Metrics = Pick<
  EventReads,
  'metrics' | 'tags' | 'keepsTagValue' | 'unpriced' | 'ledger' | 'users' | 'user'
>;

export const metricReads: readonly ReadOp[] = [];

const missing = (): never => {
  throw new Error('not there yet');
};

export const openMetrics = (_ctx: Ctx): Metrics => ({
  metrics: missing,
  tags: missing,
  keepsTagValue: missing,
  unpriced: missing,
  ledger: missing,
  users: missing,
  user: missing,
});
