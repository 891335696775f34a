import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { matchesOf } from '../scan/match.ts';
import { scansOf, splitForStored } from './split-window.ts';

/** Number of stored events of a window, or of its calls. */
export function countStored(reader: Reader, window: Window, { calls }: { readonly calls: boolean }): number {
  let count = 0;
  for (const project of reader.projects) {
    const parts = splitForStored(reader, project, window);
    for (const { rollup, from, to } of parts.sums) {
      const [row] = reader.rows(
        `SELECT total(requests) FROM ${rollup.table}
         WHERE project = ? AND ${rollup.column} >= ? AND ${rollup.column} < ?${calls ? ' AND is_call = 1' : ''}`,
        [project, from, to],
      );
      count += Number(row?.[0] ?? 0);
    }
    for (const { ref, window: own } of scansOf(reader, project, parts)) {
      const mask = matchesOf(ref.open(), { filters: {}, calls }, own);
      for (const bit of mask ?? []) count += bit;
    }
  }
  return count;
}
