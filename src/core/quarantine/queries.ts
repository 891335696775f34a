import type { Reader, ReadOp } from '../../db/reader.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { ManyLines, QuarantinedLine, QuarantinePage, QuarantineReason } from './contract.ts';
import { reasonOf } from './reason.ts';

type Row = { id: string; received_at: number; line: number; error: string; body: string | null };

type ListQuery = {
  readonly cursor: string | null;
  readonly limit: number;
  readonly reason?: string | undefined;
};

/** The messages that have a reason, as JSON for a query; null for all. */
function errorsOf(reader: Reader, reason: string | undefined): string | null {
  if (reason === undefined) return null;
  const rows = reader.all<{ error: string }>('SELECT DISTINCT error FROM quarantined_events');
  return JSON.stringify(rows.map(({ error }) => error).filter((error) => reasonOf(error) === reason));
}

const OF_REASON = '(?1 IS NULL OR error IN (SELECT value FROM json_each(?1)))';

/** Refused lines, newest first. The cursor is the id of the last line, because ids increase with time. */
export const listQuarantine: ReadOp<ListQuery, QuarantinePage> = {
  name: 'quarantine.list',
  run(reader, { cursor, limit, reason }) {
    if (cursor !== null && !/^[0-9a-f-]{36}$/.test(cursor))
      throw badRequest('cursor was not returned by this endpoint');
    const rows = reader.all<Row>(
      `SELECT id, received_at, line, error, body FROM quarantined_events
       WHERE ${OF_REASON} AND id < ?2 ORDER BY id DESC LIMIT ?3`,
      [errorsOf(reader, reason), cursor ?? 'g', limit + 1],
    );
    const [counted] = reader.all<{ total: number }>('SELECT count(*) AS total FROM quarantined_events');
    const [drop] = reader.all<{ lines: number; since: number }>('SELECT lines, since FROM quarantine_drops');
    const shown = rows.slice(0, limit);
    return {
      lines: shown.map(toLine),
      nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      total: counted?.total ?? 0,
      dropped: drop === undefined ? null : { lines: drop.lines, since: formatInstant(drop.since) },
    };
  },
};

type ErrorRow = { error: string; lines: number; replayable: number; last: number; up_to: string };

/** Refused lines by reason, the most frequent first. */
export const countReasons: ReadOp<null, { total: number; reasons: QuarantineReason[] }> = {
  name: 'quarantine.reasons',
  run(reader) {
    const rows = reader.all<ErrorRow>(
      `SELECT error, count(*) AS lines, count(body) AS replayable, max(received_at) AS last, max(id) AS up_to
       FROM quarantined_events GROUP BY error`,
    );
    const reasons = [...Map.groupBy(rows, ({ error }) => reasonOf(error))].map(([reason, own]) => ({
      reason,
      lines: own.reduce((sum, { lines }) => sum + lines, 0),
      replayable: own.reduce((sum, { replayable }) => sum + replayable, 0),
      last: formatInstant(Math.max(...own.map(({ last }) => last))),
      upTo:
        own
          .map(({ up_to }) => up_to)
          .sort()
          .at(-1) ?? '',
    }));
    return {
      total: reasons.reduce((sum, { lines }) => sum + lines, 0),
      reasons: reasons.sort((a, b) => b.lines - a.lines || (a.reason < b.reason ? -1 : 1)),
    };
  },
};

type ManyQuery = ManyLines & { readonly after: string; readonly limit: number };

/** Lines to replay with their JSON, oldest first. */
export const listReplayable: ReadOp<ManyQuery, { id: string; body: string }[]> = {
  name: 'quarantine.replayable',
  run: (reader, { reason, upTo, after, limit }) =>
    reader.all<{ id: string; body: string }>(
      `SELECT id, body FROM quarantined_events
       WHERE ${OF_REASON} AND body IS NOT NULL AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4`,
      [errorsOf(reader, reason), after, upTo, limit],
    ),
};

/** The messages of a reason, for a change of its lines. */
export const listErrors: ReadOp<string, string[]> = {
  name: 'quarantine.errors',
  run: (reader, reason) => JSON.parse(errorsOf(reader, reason) ?? '[]') as string[],
};

function toLine({ id, received_at, line, error, body }: Row): QuarantinedLine {
  const event = body === null ? null : (JSON.parse(body) as Record<string, unknown>);
  return { id, receivedAt: formatInstant(received_at), line, error, reason: reasonOf(error), event };
}
