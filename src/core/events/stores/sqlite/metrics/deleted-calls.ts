import type { Reader } from '../../../../../db/reader.ts';
import type { AskedFigures, DeletedCalls } from '../../../metrics.ts';
import type { Window } from '../../../selection.ts';
import { ROLLUP_DAYS, ROLLUP_HOURS } from '../sums/rollup-sums.ts';
import { type Sources, sourcesOf, sourcesOfGroups } from './answer-metrics.ts';
import { cutAt, gapsOf } from './gaps.ts';

/** Answers `EventReads.deleted`. */
export function readDeleted(
  reader: Reader,
  { metrics = {}, groups = [], runs = [] }: AskedFigures,
): DeletedCalls {
  const asked = [
    ...Object.values(metrics).map((query) => ({ ...sourcesOf(reader, query), window: query.window })),
    ...groups.map((query) => ({ ...sourcesOfGroups(reader, query), window: query.window })),
    ...runs.map(({ window }) => ({ sums: null, needsEvents: true, window })),
  ];
  const times = reader.projects.flatMap((project) => {
    const { complete } = gapsOf(reader, project);
    return asked.some(
      ({ needsEvents, window: { from, to } }) =>
        needsEvents && hadEvents(reader, project, { from, to: Math.min(to, complete) }),
    )
      ? complete
      : [];
  });
  const whole = reader.projects.flatMap((project) => countedWhole(reader, project, asked));
  return {
    before: times.length === 0 ? null : Math.max(...times),
    countedWhole: [...new Map(whole.map((one) => [`${one.from} ${one.to}`, one])).values()].sort(
      (a, b) => a.from - b.from || a.to - b.to,
    ),
  };
}

type Asked = Sources & { readonly window: Window };

/** The sums of which windows have a part only, where these have calls. */
function countedWhole(reader: Reader, project: number, asked: readonly Asked[]): Window[] {
  const gaps = gapsOf(reader, project);
  return asked
    .flatMap(({ sums, window }) => (sums === null ? [] : cutAt(window, sums, gaps)))
    .filter((one) => hadEvents(reader, project, one));
}

/** Whether the sums have an event of the hours of a window; of its days where it is that long. */
function hadEvents(reader: Reader, project: number, { from, to }: Window): boolean {
  if (from >= to) return false;
  const { table, column, ms } = to - from >= ROLLUP_DAYS.ms ? ROLLUP_DAYS : ROLLUP_HOURS;
  return (
    reader.rows(`SELECT 1 FROM ${table} WHERE project = ? AND ${column} >= ? AND ${column} < ? LIMIT 1`, [
      project,
      Math.floor(from / ms),
      Math.ceil(to / ms),
    ]).length > 0
  );
}
