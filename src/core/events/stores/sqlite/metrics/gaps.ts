import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { formatInstant } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';

/** Where only the sums have all events of a project. */
export type Gaps = {
  /**
   * Time from which retention has deleted nothing, in epoch milliseconds; 0 if it never ran. Before it a few late
   * arrivals may remain.
   */
  readonly complete: number;
  /** Times of segments that are damaged or were given up, both bounds inclusive. */
  readonly holes: readonly Window[];
};

export const gapsOf = (reader: Reader, project: number): Gaps => {
  const [row] = reader.rows('SELECT ts FROM rows_from WHERE project = ?', [project]);
  return { complete: Number(row?.[0] ?? 0), holes: holesOf(reader, project, 1) };
};

/** Times of segments with a state above `ready`. */
const holesOf = (reader: Reader, project: number, ready: number): Window[] =>
  reader
    .rows('SELECT first_ts, last_ts FROM event_segments WHERE ready > 1 AND ready > ? AND project = ?', [
      ready,
      project,
    ])
    .map(([from, to]) => ({ from: Number(from), to: Number(to) }));

/** Times of segments that were given up. */
export const lostOf = (reader: Reader, project: number): Window[] => holesOf(reader, project, 2);

/** Whether a gap begins before `to` and ends after `from`. */
const isIn = (holes: readonly Window[], from: number, to: number): boolean =>
  holes.some((hole) => hole.from < to && hole.to >= from);

/**
 * Extends a window's bounds to whole hours or days in gaps. An end is inclusive in requests, so that one at two o'clock has
 * the first instant of an hour, which does not count then. @param ms unit of the finest sums
 */
export function overGaps({ from, to }: Window, ms: number, { complete, holes }: Gaps): Window {
  if (from >= to) return { from, to };
  const start = Math.floor(from / ms) * ms;
  const lastStart = Math.floor(to / ms) * ms;
  const isFrom = from < complete || isIn(holes, start, start + ms);
  const isTo = Math.max(from, lastStart) < complete || isIn(holes, lastStart, lastStart + ms);
  const end = to - lastStart <= 1 && from < lastStart ? lastStart : Math.ceil(to / ms) * ms;
  return { from: isFrom ? start : from, to: isTo ? end : to };
}

/** The hours or days in gaps of which a window has a part, so that `overGaps` adds the rest. */
export function cutAt(window: Window, ms: number, gaps: Gaps): Window[] {
  const wide = overGaps(window, ms, gaps);
  return [
    ...(wide.from < window.from ? [{ from: wide.from, to: wide.from + ms }] : []),
    ...(wide.to > window.to ? [{ from: wide.to - ms, to: wide.to }] : []),
  ];
}

/** Whether some events of a window may be in a gap. */
export const hasGap = (reader: Reader, { from, to }: Window): boolean =>
  reader.projects.some((project) => {
    const { complete, holes } = gapsOf(reader, project);
    return from < complete || isIn(holes, from, to);
  });

/** Whether a window needs events of a gap that damage made. */
export const hasHole = (reader: Reader, project: number, { from, to }: Window): boolean =>
  isIn(holesOf(reader, project, 1), from, to);

/**
 * Refuses a figure that needs each event of a window, if some were given up: it would be too low.
 * @throws AppError 400
 */
export function refuseLost(reader: Reader, project: number, { from, to }: Window): void {
  const [first] = lostOf(reader, project).filter((lost) => isIn([lost], from, to));
  if (first === undefined) return;
  const [since, until] = [first.from, first.to].map((time) => formatInstant(time));
  throw badRequest(
    `start: events between ${since} and ${until} were lost to damage, so that only totals without filters by user or session are complete there; leave these filters out or choose other days`,
  );
}
