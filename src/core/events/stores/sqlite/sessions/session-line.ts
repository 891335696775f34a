import type { Reader } from '../../../../../db/reader.ts';
import type { Session, SessionLine } from '../../../read-queries.ts';
import { unpackId } from '../rows/ids.ts';
import { SUMMARY_COLUMNS, toSums } from '../traces/get-trace.ts';
import { ROOT_COLUMNS, toLine } from '../traces/trace-lines.ts';
import { FROM_TIMES, sessionTimes } from './session-times.ts';

/** Maximum number of traces per session in a reply; the first ones are kept. */
const MAX_SESSION_TRACES = 1_000;

/** A session's line from the times of its events; null without events. */
export function readSession(
  reader: Reader,
  project: number,
  sessionId: string,
  times: readonly number[],
): SessionLine | null {
  const [row] = reader.rows(
    `SELECT max(user_id), count(DISTINCT trace_id), ${SUMMARY_COLUMNS} ${FROM_TIMES} AND session_id = ?`,
    [JSON.stringify(times), project, sessionId],
  );
  const [user = null, traces = 0, ...sums] = row ?? [];
  if (traces === 0) return null;
  return {
    session_id: sessionId,
    user_id: user === null ? null : String(user),
    traces: Number(traces),
    ...toSums(sums),
  };
}

/** A session and its traces by start time, each with the sums of its events in the session. */
export function getSession(reader: Reader, sessionId: string): Session | null {
  const [project] = reader.projects;
  if (project === undefined) return null;
  const window = { from: -8.64e15, to: 8.64e15 };
  const times = sessionTimes(reader, project, [sessionId], window).get(sessionId) ?? [];
  const session = readSession(reader, project, sessionId, times);
  if (session === null) return null;
  const args = [JSON.stringify(times), project, sessionId];
  const ofTraces = `${FROM_TIMES} AND session_id = ? GROUP BY trace_id`;
  const roots = reader.rows(`SELECT trace_id, ${ROOT_COLUMNS} ${ofTraces}`, args);
  const rootOf = new Map(roots.map(([id = null, ...root]) => [unpackId(id), root]));
  const sums = reader.rows(
    `SELECT trace_id, max(user_id), max(session_id), ${SUMMARY_COLUMNS} ${ofTraces}
     ORDER BY min(ts), trace_id LIMIT ${MAX_SESSION_TRACES}`,
    args,
  );
  const traces = sums.map(([id = null, ...summary]) => {
    const traceId = unpackId(id);
    return toLine(traceId, summary, rootOf.get(traceId) ?? []);
  });
  return { session, traces, truncated: session.traces > traces.length };
}
