import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { bufferOf } from '../rows/blob.ts';
import { type Bloom, bloomHash, isInBloom } from '../rows/bloom.ts';
import { fromUnsealed } from '../rows/unsealed.ts';
import { findPostings, sessionHash } from './session-postings.ts';

/** FROM and WHERE over rows at given times. Arguments: a JSON list of epoch milliseconds, the project. */
export const FROM_TIMES =
  'FROM json_each(?) AS moment CROSS JOIN events WHERE project = ? AND ts = moment.value';

/**
 * Candidate times of sessions' events in a window, ascending and distinct: from the postings of sealed chunks, and
 * from the rows of others. Check the session of each row.
 */
export function sessionTimes(
  reader: Reader,
  project: number,
  sessionIds: readonly string[],
  window: Window,
): Map<string, number[]> {
  const times = new Map(sessionIds.map((id) => [id, new Set<number>()]));
  const isInside = (ts: number): boolean => ts >= window.from && ts < window.to;
  for (const [id, ts] of sealedTimes(reader, project, sessionIds, window)) {
    if (isInside(ts)) times.get(id)?.add(ts);
  }
  const unsealed = fromUnsealed(reader, project, window);
  const fresh = reader.rows(
    `SELECT session_id, ts ${unsealed.sql} AND session_id IN (SELECT value FROM json_each(?))`,
    [...unsealed.args, JSON.stringify(sessionIds)],
  );
  for (const [id, ts] of fresh) times.get(String(id))?.add(Number(ts));
  return new Map([...times].map(([id, found]) => [id, [...found].sort((a, b) => a - b)]));
}

function* sealedTimes(
  reader: Reader,
  project: number,
  sessionIds: readonly string[],
  { from, to }: Window,
): Generator<readonly [id: string, ts: number]> {
  const wanted = sessionIds.map((id) => ({ id, hash: sessionHash(id) }));
  const sought = wanted.map((session) => ({ ...session, bits: bloomHash(session.hash) }));
  const chunks = reader.rows(
    `SELECT chunk, bits FROM event_chunks CROSS JOIN session_chunks USING (project, chunk)
     WHERE project = ? AND last_ts >= ? AND first_ts < ?`,
    [project, from, to],
  );
  for (const [chunk = null, bits = null] of chunks) {
    const bloom: Bloom = new Uint8Array(bufferOf(bits));
    const likely = sought.filter((session) => isInBloom(bloom, session.bits));
    if (likely.length === 0) continue;
    const postings = readPostings(reader, project, chunk);
    for (const { id, hash } of likely) for (const ts of findPostings(postings, hash)) yield [id, ts];
  }
}

function readPostings(reader: Reader, project: number, chunk: SqlValue): ArrayBuffer {
  const [row] = reader.rows('SELECT postings FROM session_chunks WHERE project = ? AND chunk = ?', [
    project,
    chunk,
  ]);
  return bufferOf(row?.[0]);
}
