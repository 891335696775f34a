import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { formatInstant } from '../../../../../lib/time.ts';
import { type EventSums, MAX_TRACE_SPANS, type TraceReply, type TraceSummary } from '../../../contract.ts';
import { packId } from '../rows/ids.ts';
import { C, EVENT_SELECT, fromRow } from '../rows/row.ts';
import { addend, callSum, rawSum } from '../rows/sums.ts';
import { buildTree, type SpanSums } from './build-tree.ts';

/**
 * The keys of a trace's rows as a JSON list for `FROM_KEYS`; null if the project has no such trace. A trace can be at
 * any time, but the trace index is by chunk, so each chunk is probed once. The keys are read from the index alone
 * first; in a flat query the planner scans the whole project.
 */
export function keysOfTrace(reader: Reader, project: number, traceId: string): string | null {
  const [row] = reader.rows(
    `SELECT json_group_array(json_array(ts, hex(event_id))) FROM event_chunks CROSS JOIN events
     WHERE event_chunks.project = ?1 AND events.project = ?1
       AND events.chunk = event_chunks.chunk AND trace_id = ?2`,
    [project, packId(traceId)],
  );
  const keys = String(row?.[0]);
  return keys === '[]' ? null : keys;
}

/** The rows of keys; its arguments are the project and the keys. */
export const FROM_KEYS = `FROM json_each(?2) AS wanted CROSS JOIN events
  ON ts = wanted.value ->> 0 AND event_id = unhex(wanted.value ->> 1) WHERE project = ?1`;

/** Sums over a trace's rows, in the order that `toSummary` reads. */
const SUMS = [
  'min(ts)',
  'max(ts + ifnull(latency_ms, 0))',
  'count(*)',
  'total(is_call)',
  rawSum('errors'),
  ...(['cost_nano', 'unpriced', 'input_tokens', 'output_tokens'] as const).map(callSum),
];
export const SUMMARY_COLUMNS = SUMS.join(', ');

/** A trace's spans as a tree with their sums; null if the scope has no such trace. */
export function getTrace(reader: Reader, traceId: string): TraceReply | null {
  for (const project of reader.projects) {
    const keys = keysOfTrace(reader, project, traceId);
    if (keys === null) continue;
    const rows = reader.rows(
      `SELECT ${EVENT_SELECT} ${FROM_KEYS} ORDER BY ts, event_id LIMIT ${MAX_TRACE_SPANS}`,
      [project, keys],
    );
    return {
      trace: summaryOf(reader, { project, traceId, keys }, rows.length),
      spans: buildTree(rows.map(fromRow), rows.map(sumsOfRow)),
    };
  }
  return null;
}

/** Sums of a whole trace. @param listed number of its spans in the reply */
export function summaryOf(
  reader: Reader,
  { project, traceId, keys }: { readonly project: number; readonly traceId: string; readonly keys: string },
  listed: number,
): TraceReply['trace'] {
  // A separate query, because window sums per row take longer than everything else.
  const [sums = []] = reader.rows(`SELECT ${SUMMARY_COLUMNS} ${FROM_KEYS}`, [project, keys]);
  const summary = toSummary(traceId, sums);
  return { ...summary, truncated: summary.spans > listed };
}

const CALL_ADDENDS = (['cost_nano', 'unpriced', 'input_tokens', 'output_tokens'] as const).map(addend);
const failedOf = addend('errors');

/** Contribution of one row to its ancestors' sums, as in `SUMS`. */
function sumsOfRow(row: readonly SqlValue[]): SpanSums {
  const failed = failedOf(row);
  if (row[C.is_call] !== 1) return [0, failed, 0, 0, 0, 0];
  const [cost = 0, unpriced = 0, input = 0, output = 0] = CALL_ADDENDS.map((of) => of(row));
  return [1, failed, cost, unpriced, input, output];
}

/** Converts a row of `SUMMARY_COLUMNS` to the API's summary. */
export function toSummary(traceId: string, row: readonly SqlValue[]): TraceSummary {
  return {
    trace_id: traceId,
    ...toSums(row),
  };
}

/** Event sums of a row of `SUMMARY_COLUMNS`. */
export function toSums(row: readonly SqlValue[]): EventSums {
  const number = (place: number): number => Number(row[place]);
  const [start, end] = [number(0), number(1)];
  return {
    start: formatInstant(start),
    end: formatInstant(end),
    // Rounded, because a double of epoch milliseconds is exact only to a fraction of a microsecond.
    duration_ms: Math.round((end - start) * 1000) / 1000,
    spans: number(2),
    llm_calls: number(3),
    errors: number(4),
    cost_usd: number(5) / 1e9,
    unpriced: number(6),
    input_tokens: number(7),
    output_tokens: number(8),
  };
}
