import type { Ctx } from '../../../../context.ts';
import type { ReadOp } from '../../../../db/reader.ts';
import type { EventReads } from '../../store.ts';

/** Reads of events, traces and sessions. */
type Lists = Pick<
  EventReads,
  | 'events'
  | 'eventsAfter'
  | 'newest'
  | 'event'
  | 'trace'
  | 'waterfall'
  | 'traces'
  | 'sessions'
  | 'session'
  | 'sessionEvents'
  | 'span'
>;

export const listReads: readonly ReadOp[] = [];

const missing = (): never => {
  throw new Error('not there yet');
};

export const openLists = (_ctx: Ctx): Lists => ({
  events: missing,
  eventsAfter: missing,
  newest: missing,
  event: missing,
  trace: missing,
  waterfall: missing,
  traces: missing,
  sessions: missing,
  session: missing,
  sessionEvents: missing,
  span: missing,
});
