import type { Ctx } from '../../context.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { Effect, EffectCall } from '../../db/effects.ts';
import type { ProjectScope } from '../tenancy/index.ts';

/** A line that ingest refused. `body` is its redacted JSON, null if it could not be parsed. */
export type RefusedLine = { line: number; error: string; body: string | null };

/** Maximum number of refused lines per project; the oldest are deleted first. */
const KEPT = 10_000;
/** Excess lines that are allowed before the oldest are deleted together. */
const SLACK = 500;

/** Lines to keep: id, project, received_at, line, error, body. */
type KeptLines = { readonly project: number; readonly lines: readonly SqlValue[][] };

/** Stores refused lines, so that they can be corrected and replayed. */
export const keepLinesEffect: Effect<KeptLines, unknown, void> = {
  name: 'quarantine.keep',
  open(connection) {
    const insert = connection.prepare(
      'INSERT INTO quarantined_events (id, project, received_at, line, error, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const count = connection.prepare('SELECT count(*) FROM quarantined_events WHERE project = ?').raw(true);
    const trim = connection.prepare(
      `DELETE FROM quarantined_events WHERE id IN (
         SELECT id FROM quarantined_events WHERE project = ? ORDER BY received_at LIMIT ?)`,
    );
    /** Upper bounds of the stored lines by project: other writes delete lines, only this one adds them. */
    let counts = new Map<number, number>();

    function trimmed(project: number): number {
      const [row] = count.all([project]) as SqlValue[][];
      const total = Number(row?.[0] ?? 0);
      if (total <= KEPT + SLACK) return total;
      trim.run([project, total - KEPT]);
      return KEPT;
    }

    return {
      apply({ project, lines }) {
        for (const line of lines) insert.run(line);
        const estimate = (counts.get(project) ?? Number.POSITIVE_INFINITY) + lines.length;
        counts.set(project, estimate <= KEPT + SLACK ? estimate : trimmed(project));
      },
      discard() {
        counts = new Map();
      },
    };
  },
};

/** The effect that keeps a project's refused lines; no effect if there are none. */
export function keepLines(
  ctx: Pick<Ctx, 'now'>,
  { no: project }: Pick<ProjectScope, 'no'>,
  refused: readonly RefusedLine[],
): EffectCall[] {
  if (refused.length === 0) return [];
  const now = ctx.now();
  const lines = refused.map(({ line, error, body }) => [Bun.randomUUIDv7(), project, now, line, error, body]);
  const payload: KeptLines = { project, lines };
  return [{ effect: keepLinesEffect.name, payload, rows: lines.length }];
}
