import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { Selection, Window } from '../../../selection.ts';
import { whereOf } from '../rows/event-filters.ts';
import { unpackId } from '../rows/ids.ts';
import { readTracesBetween } from './traces-between.ts';

/** Silence after which lists treat further events as another trace, so that their work is bounded. */
export const TRACE_GAP_MS = DAY_MS;

/** A part of a list: its start in epoch milliseconds, and the list's selection. */
type Stretch = {
  readonly project: number;
  readonly from: number;
  readonly query: Selection & { readonly window: Window };
};

/** Ids of traces with a matching event in the day before this part; they are listed there. */
export function tracesSeenBefore(
  reader: Reader,
  { project, from, query }: Stretch,
  traces: readonly { readonly traceId: SqlValue }[],
): Set<string> {
  const where = whereOf(query);
  const window = { from: Math.max(query.window.from, from - TRACE_GAP_MS), to: from };
  const traceIds = traces.map(({ traceId }) => traceId);
  const rows = readTracesBetween(reader, { project, window, traceIds }, 'DISTINCT trace_id', where);
  return new Set(rows.map(([traceId = null]) => unpackId(traceId)));
}
