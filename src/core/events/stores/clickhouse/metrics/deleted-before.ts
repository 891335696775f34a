import type { AskedFigures } from '../../../metrics.ts';
import type { Engine } from '../engine/engine.ts';
import { any, sql } from '../engine/sql.ts';
import { asksForgotten, inWindow } from '../reads/conditions.ts';

/** Answers `EventReads.deletedBefore`: until just after the newest call that retention has deleted. */
export async function readDeletedBefore(
  engine: Engine,
  projects: readonly number[],
  { metrics = {}, groups = [], runs = [] }: AskedFigures,
): Promise<number | null> {
  const windows = [
    ...[...Object.values(metrics), ...groups].filter(({ filters = {}, groupBy = [] }) =>
      asksForgotten(filters, groupBy),
    ),
    ...runs,
  ].flatMap(({ window }) => (window.from < window.to ? window : []));
  if (windows.length === 0 || projects.length === 0) return null;
  const [row] = await engine.read<{ deleted: number; newest: number }>(
    projects,
    sql`SELECT count() AS deleted, max(ts) AS newest FROM events FINAL
      WHERE ${any(windows.map((window) => inWindow(projects, window)))} AND is_kept`,
  );
  return row === undefined || row.deleted === 0 ? null : Number(row.newest) + 1;
}
