import type { Reader } from '../../../../../db/reader.ts';
import type { AskedFigures } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { ROLLUP_DAYS } from '../sums/rollup-sums.ts';
import { areGroupsOfSums, isOfSums, isSurelyOfSums } from './answer-metrics.ts';
import { gapsOf } from './gaps.ts';

/** Whether some figures may need events; otherwise there is no need to ask. */
export const mayNeedEvents = ({ metrics = {}, groups = [], runs = [] }: AskedFigures): boolean =>
  runs.length > 0 || ![...Object.values(metrics), ...groups].every(isSurelyOfSums);

/** Answers `EventReads.deletedBefore`. */
export function readDeletedBefore(
  reader: Reader,
  { metrics = {}, groups = [], runs = [] }: AskedFigures,
): number | null {
  const windows = [
    ...Object.values(metrics).filter((query) => !isOfSums(reader, query)),
    ...groups.filter((query) => !areGroupsOfSums(reader, query)),
    ...runs,
  ].map(({ window }) => window);
  const times = reader.projects.flatMap((project) => {
    const { complete } = gapsOf(reader, project);
    return windows.some((window) =>
      hadEvents(reader, project, { ...window, to: Math.min(window.to, complete) }),
    )
      ? complete
      : [];
  });
  return times.length === 0 ? null : Math.max(...times);
}

/** Whether the sums have an event of the days of a window. */
const hadEvents = (reader: Reader, project: number, { from, to }: Window): boolean =>
  from < to &&
  reader.rows('SELECT 1 FROM rollup_days WHERE project = ? AND day >= ? AND day < ? LIMIT 1', [
    project,
    Math.floor(from / ROLLUP_DAYS.ms),
    Math.ceil(to / ROLLUP_DAYS.ms),
  ]).length > 0;
