import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { TraceLine } from '../../../contract.ts';
import type { Position } from '../rows/cursor.ts';
import { unpackId } from '../rows/ids.ts';
import { SUMMARY_COLUMNS, toSummary } from './get-trace.ts';
import { readTracesBetween } from './traces-between.ts';
import { TRACE_GAP_MS } from './traces-seen-before.ts';

/** A trace at its first event of the selection. */
export type Anchor = Position & { readonly traceId: SqlValue; readonly hour: number };

/** The lines of some traces of a project, over events within a day of their positions. */
export function readTraceLines(
  reader: Reader,
  project: number,
  anchors: readonly Anchor[],
): Map<Anchor, TraceLine> {
  const lines = new Map<Anchor, TraceLine>();
  for (const [hour, group] of Map.groupBy(anchors, (anchor) => anchor.hour)) {
    const traces = {
      project,
      window: { from: hour * HOUR_MS - TRACE_GAP_MS, to: (hour + 1) * HOUR_MS + TRACE_GAP_MS },
      traceIds: group.map(({ traceId }) => traceId),
    };
    const byTrace = { sql: ' GROUP BY trace_id', args: [] };
    const sums = byId(
      readTracesBetween(
        reader,
        traces,
        `trace_id, max(user_id), max(session_id), ${SUMMARY_COLUMNS}`,
        byTrace,
      ),
    );
    const roots = byId(readTracesBetween(reader, traces, `trace_id, ${ROOT_COLUMNS}`, byTrace));
    for (const anchor of group) {
      const line = toLine(
        anchor.id,
        sums.get(anchor.id)?.slice(1) ?? [],
        roots.get(anchor.id)?.slice(1) ?? [],
      );
      lines.set(anchor, line);
    }
  }
  return lines;
}

/**
 * With a single min(), SQLite takes the other columns from the row of the minimum: here the first root, otherwise the
 * first span.
 */
export const ROOT_COLUMNS = `min(ts + iif(parent_span_id IS NULL, 0, 1e14)),
  coalesce((SELECT json FROM event_shapes WHERE id = events.shape) ->> 'name', detail ->> 'name', operation), user_id, session_id`;

const byId = (rows: readonly SqlValue[][]): Map<string, SqlValue[]> =>
  new Map(rows.map((row) => [unpackId(row[0] ?? null), row]));

const textOf = (value: SqlValue | undefined): string | null => (typeof value === 'string' ? value : null);

/**
 * A trace's line.
 * @param sums any user and session, and `SUMMARY_COLUMNS`
 * @param root a row of `ROOT_COLUMNS`
 */
export function toLine(traceId: string, sums: readonly SqlValue[], root: readonly SqlValue[]): TraceLine {
  const [anyUser, anySession, ...summary] = sums;
  const [, name, user, session] = root;
  return {
    ...toSummary(traceId, summary),
    name: textOf(name) ?? '',
    user_id: textOf(user) ?? textOf(anyUser),
    session_id: textOf(session) ?? textOf(anySession),
  };
}
