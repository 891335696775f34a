import { formatInstant } from '../../../../../lib/time.ts';
import type { EventSums, TraceLine } from '../../../contract.ts';
import { toMicros } from '../../shared/traces/to-micros.ts';
import { sql } from '../engine/sql.ts';
import { FAILED, INPUT, OUTPUT, UNPRICED } from './conditions.ts';

/** What events add up to, as the engine returns it: failures of any kind, everything else of calls. */
export type SumsRow = {
  readonly start: number;
  readonly end: number;
  readonly spans: number;
  readonly llm_calls: number;
  readonly errors: number;
  readonly cost: number;
  readonly unpriced: number;
  readonly input_sum: number;
  readonly output_sum: number;
  /** Name, operation, user and session of the first root, or first event. */
  readonly root: readonly [string | null, string, string | null, string | null];
  readonly any_user: string | null;
  readonly any_session: string | null;
};

export const lineColumns = sql`min(ts) AS start, max(ts + ifNull(latency_ms, 0)) AS end, count() AS spans,
  countIf(is_call) AS llm_calls, countIf(${FAILED}) AS errors, ifNull(sumIf(cost_nano, is_call), 0) AS cost,
  countIf(is_call AND ${UNPRICED}) AS unpriced, sumIf(${INPUT}, is_call) AS input_sum, sumIf(${OUTPUT}, is_call) AS output_sum,
  argMin((name, operation, user_id, session_id), (parent_span_id IS NOT NULL, ts, toString(event_id))) AS root,
  max(user_id) AS any_user, max(session_id) AS any_session`;

export const toSums = (row: SumsRow): EventSums => ({
  start: formatInstant(row.start),
  end: formatInstant(row.end),
  duration_ms: toMicros(row.end - row.start),
  spans: row.spans,
  llm_calls: row.llm_calls,
  errors: row.errors,
  cost_usd: row.cost / 1e9,
  unpriced: row.unpriced,
  input_tokens: row.input_sum,
  output_tokens: row.output_sum,
});

export function toLine(traceId: string, row: SumsRow): TraceLine {
  const [name, operation, user, session] = row.root;
  return {
    trace_id: traceId,
    ...toSums(row),
    name: name ?? operation,
    user_id: user ?? row.any_user,
    session_id: session ?? row.any_session,
  };
}
