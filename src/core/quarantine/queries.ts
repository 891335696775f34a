import type { ReadOp } from '../../db/reader.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { QuarantinedLine, QuarantinePage } from './contract.ts';

type Row = { id: string; received_at: number; line: number; error: string; body: string | null };

/** Refused lines, newest first. The cursor is the id of the last line, because ids increase with time. */
export const listQuarantine: ReadOp<{ cursor: string | null; limit: number }, QuarantinePage> = {
  name: 'quarantine.list',
  run(reader, { cursor, limit }) {
    if (cursor !== null && !/^[0-9a-f-]{36}$/.test(cursor))
      throw badRequest('cursor was not returned by this endpoint');
    const rows = reader.all<Row>(
      `SELECT id, received_at, line, error, body FROM quarantined_events
       WHERE id < ? ORDER BY id DESC LIMIT ?`,
      [cursor ?? 'g', limit + 1],
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

function toLine({ id, received_at, line, error, body }: Row): QuarantinedLine {
  const event = body === null ? null : (JSON.parse(body) as Record<string, unknown>);
  return { id, receivedAt: formatInstant(received_at), line, error, event };
}
