import type { SqlValue } from '../../db/connection.ts';
import type { Reader } from '../../db/reader.ts';
import { type Selection, type Window, whereOf } from './event-filters.ts';
import { unpackId } from './ids.ts';
import { readTracesOfHours } from './traces-of-hours.ts';

/** Hours of silence after which a trace is taken for another one by lists, so that their work is bounded. */
export const TRACE_GAP_HOURS = 24;

/** An hour of a project, and what a list is about. */
type HourOfList = {
  readonly project: number;
  readonly hour: number;
  readonly query: Selection & { readonly window: Window };
};

/** The ids of those traces that have a matching event in the hours before: their place is there. */
export function tracesSeenBefore(
  reader: Reader,
  { project, hour, query }: HourOfList,
  traces: readonly { readonly traceId: SqlValue }[],
): Set<string> {
  const where = whereOf(query);
  const rows = readTracesOfHours(
    reader,
    {
      project,
      hours: { first: hour - TRACE_GAP_HOURS, last: hour - 1 },
      traceIds: traces.map(({ traceId }) => traceId),
    },
    'DISTINCT trace_id',
    { sql: ` AND ts >= ?${where.sql}`, args: [query.window.from, ...where.args] },
  );
  return new Set(rows.map(([traceId = null]) => unpackId(traceId)));
}
