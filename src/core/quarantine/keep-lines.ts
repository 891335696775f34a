import type { Ctx } from '../../context.ts';
import type { Connection, SqlValue } from '../../db/connection.ts';
import type { Effect, EffectCall } from '../../db/effects.ts';
import type { ProjectScope } from '../tenancy/index.ts';

/** A line that ingest refused. `body` is its redacted JSON, null if it could not be parsed. */
export type RefusedLine = { line: number; error: string; body: string | null };

/** What a project keeps; the oldest lines are deleted first. */
const KEPT = { lines: 10_000, bytes: 16_000_000 } as const;
/** What may come on top before the excess is deleted at once. */
const SLACK = { lines: 500, bytes: 4_000_000 } as const;
/** Bytes of a line beside its error and body. */
const ROW_BYTES = 100;

/** Lines to keep: id, project, received_at, line, error, body. */
type KeptLines = { readonly project: number; readonly now: number; readonly lines: readonly SqlValue[][] };

/** Number and size of lines. */
type Size = { readonly lines: number; readonly bytes: number };

/**
 * Stores refused lines, so that they can be corrected and replayed. Beyond the limits, deletes the oldest and counts
 * them.
 */
export const keepLinesEffect: Effect<KeptLines, unknown, void> = {
  name: 'quarantine.keep',
  open(connection) {
    const insert = connection.prepare(
      'INSERT INTO quarantined_events (id, project, received_at, line, error, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const trim = createTrim(connection);
    /** Upper bounds by project: other writes delete lines, only this one adds them. */
    let sizes = new Map<number, Size>();
    return {
      apply({ project, now, lines }) {
        for (const line of lines) insert.run(line);
        const known = sizes.get(project);
        const estimate = known === undefined ? null : plus(known, sizeOf(lines));
        sizes.set(project, estimate !== null && isWithin(estimate) ? estimate : trim(project, now));
      },
      discard() {
        sizes = new Map();
      },
    };
  },
};

const plus = (a: Size, b: Size): Size => ({ lines: a.lines + b.lines, bytes: a.bytes + b.bytes });

const isWithin = ({ lines, bytes }: Size): boolean =>
  lines <= KEPT.lines + SLACK.lines && bytes <= KEPT.bytes + SLACK.bytes;

const sizeOf = (lines: readonly SqlValue[][]): Size => ({
  lines: lines.length,
  bytes: lines.reduce(
    (sum, [, , , , error, body]) =>
      sum + ROW_BYTES + Buffer.byteLength(String(error)) + Buffer.byteLength(String(body ?? '')),
    0,
  ),
});

/** Deletes a project's excess and returns what is left. */
function createTrim(connection: Connection): (project: number, now: number) => Size {
  // octet_length reads the size from the row's header and not the text.
  const bytes = `${ROW_BYTES} + octet_length(error) + coalesce(octet_length(body), 0)`;
  const measure = connection
    .prepare(`SELECT count(*), coalesce(sum(${bytes}), 0) FROM quarantined_events WHERE project = ?`)
    .raw(true);
  const trim = connection.prepare(
    `DELETE FROM quarantined_events WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER newer AS lines, sum(${bytes}) OVER newer AS bytes
         FROM quarantined_events WHERE project = ?
         WINDOW newer AS (ORDER BY received_at DESC, id DESC ROWS UNBOUNDED PRECEDING))
       WHERE lines > ? OR bytes > ?)`,
  );
  const note = connection.prepare(
    `INSERT INTO quarantine_drops (project, lines, since, last_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET lines = lines + excluded.lines, last_at = excluded.last_at`,
  );
  const measured = (project: number): Size => {
    const [row] = measure.all([project]) as SqlValue[][];
    return { lines: Number(row?.[0] ?? 0), bytes: Number(row?.[1] ?? 0) };
  };
  return (project, now) => {
    const size = measured(project);
    if (isWithin(size)) return size;
    const { changes } = trim.run([project, KEPT.lines, KEPT.bytes]);
    if (changes > 0) note.run([project, changes, now, now]);
    return measured(project);
  };
}

/** The effect that keeps a project's refused lines; no effect if there are none. */
export function keepLines(
  ctx: Pick<Ctx, 'now'>,
  { no: project }: Pick<ProjectScope, 'no'>,
  refused: readonly RefusedLine[],
): EffectCall[] {
  if (refused.length === 0) return [];
  const now = ctx.now();
  const lines = refused.map(({ line, error, body }) => [Bun.randomUUIDv7(), project, now, line, error, body]);
  const payload: KeptLines = { project, now, lines };
  return [{ effect: keepLinesEffect.name, payload, rows: lines.length }];
}
