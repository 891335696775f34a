import type { AskedFigures, DeletedCalls } from '../../../metrics.ts';
import type { Engine } from '../engine/engine.ts';
import { any, sql } from '../engine/sql.ts';
import { asksForgotten, inWindow } from '../reads/conditions.ts';

/**
 * Answers `EventReads.deleted`: until just after the newest call that retention has deleted. Each call keeps its time, so
 * that none is counted that is not in a window.
 */
export async function readDeleted(
  engine: Engine,
  projects: readonly number[],
  { metrics = {}, groups = [], runs = [] }: AskedFigures,
): Promise<DeletedCalls> {
  const windows = [
    ...[...Object.values(metrics), ...groups].filter(({ filters = {}, groupBy = [] }) =>
      asksForgotten(filters, groupBy),
    ),
    ...runs,
  ].flatMap(({ window }) => (window.from < window.to ? window : []));
  if (windows.length === 0 || projects.length === 0) return { before: null, countedWhole: [] };
  const [row] = await engine.read<{ deleted: number; newest: number }>(
    projects,
    sql`SELECT count() AS deleted, max(ts) AS newest FROM events FINAL
      WHERE ${any(windows.map((window) => inWindow(projects, window)))} AND is_kept`,
  );
  const isDeleted = row !== undefined && row.deleted > 0;
  return { before: isDeleted ? Number(row.newest) + 1 : null, countedWhole: [] };
}
