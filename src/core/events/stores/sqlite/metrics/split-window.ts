import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { segmentsOf } from '../scan/open-chunks.ts';
import { ROLLUP_DAYS, ROLLUP_HOURS } from '../sums/rollup-sums.ts';
import { type Gaps, gapsOf, lostOf, overGaps } from './gaps.ts';

/** Sums of a project by days or hours. They contain sealed events only. */
export type Rollup = typeof ROLLUP_DAYS | typeof ROLLUP_HOURS;

/** A part of a window that sums cover. Bounds are in the unit of the roll-up. */
export type SumsPart = { readonly rollup: Rollup; readonly from: number; readonly to: number };

/** Sealed events to scan. `sign` -1: subtract them. */
type ScanPart = { readonly window: Window; readonly sign: 1 | -1 };

/** A window in parts, so that each event counts exactly once. */
export type Parts = {
  readonly sums: readonly SumsPart[];
  /** The ends that sums do not cover. */
  readonly ends: readonly ScanPart[];
  /** Unsealed events to scan. */
  readonly unsealed: Window;
};

/**
 * Splits a window of a project into whole days and hours, and the ends of sealed events between them and the window's
 * bounds.
 * @param coarsest longest time that one entry may cover, in milliseconds; 1 to use no sums
 */
export const splitWindow = (reader: Reader, project: number, window: Window, coarsest: number): Parts =>
  splitBy(
    reader,
    project,
    window,
    [ROLLUP_DAYS, ROLLUP_HOURS].filter(({ ms }) => ms <= coarsest),
  );

/** Like `splitWindow`, for sums by days only. */
export const splitByDays = (reader: Reader, project: number, window: Window): Parts =>
  splitBy(reader, project, window, [ROLLUP_DAYS]);

/**
 * Like `splitWindow`, for counting stored events. Sums also contain events that retention deleted or damage took, so
 * where these are, what remains is scanned.
 */
export function splitForStored(
  reader: Reader,
  project: number,
  window: Window,
  rollups: readonly Rollup[],
): Parts {
  const gaps = gapsOf(reader, project);
  const sums: SumsPart[] = [];
  const late = { from: window.from, to: Math.min(window.to, gaps.complete) };
  const ends: ScanPart[] = late.from < late.to ? [{ window: late, sign: 1 }] : [];
  let from = Math.max(window.from, gaps.complete);
  for (const day of daysOf(lostOf(reader, project))) {
    if (day.to <= from || day.from >= window.to) continue;
    addStored(day.from);
    ends.push({ window: { from: Math.max(from, day.from), to: Math.min(window.to, day.to) }, sign: 1 });
    from = day.to;
  }
  addStored(window.to);
  return { sums, ends, unsealed: window };

  function addStored(to: number): void {
    const wide = widen(reader, project, { from, to }, gaps.complete);
    const part = splitShort({ from: Math.max(wide.from, gaps.complete), to: wide.to }, rollups, gaps);
    sums.push(...part.sums);
    ends.push(...part.ends);
  }
}

/** The distinct UTC days of some times of at most a day each, in order. */
function daysOf(times: readonly Window[]): Window[] {
  const starts = new Set(times.map(({ from }) => Math.floor(from / ROLLUP_DAYS.ms) * ROLLUP_DAYS.ms));
  return [...starts].sort((a, b) => a - b).map((from) => ({ from, to: from + ROLLUP_DAYS.ms }));
}

function splitBy(reader: Reader, project: number, window: Window, rollups: readonly Rollup[]): Parts {
  const finest = rollups.at(-1);
  if (finest === undefined) return { sums: [], ends: [{ window, sign: 1 }], unsealed: window };
  const gaps = gapsOf(reader, project);
  const unsealed = overGaps(window, Math.max(HOUR_MS, finest.ms), gaps);
  return { ...splitShort(widen(reader, project, unsealed, gaps.complete), rollups, gaps), unsealed };
}

type Ways = Pick<Parts, 'sums' | 'ends'>;

/** Whole entries, coarse to fine, and the ends, each by the way that scans less. */
function splitShort(window: Window, rollups: readonly Rollup[], { complete }: Gaps): Ways {
  const { sums, ends } = split(window, rollups);
  const finest = rollups.at(-1);
  const shorter = ends.map(
    (end): Ways =>
      finest === undefined
        ? { sums: [], ends: [{ window: end, sign: 1 }] }
        : shorterWay(end, finest, complete),
  );
  return {
    sums: [...sums, ...shorter.flatMap((way) => way.sums)],
    ends: shorter.flatMap((way) => way.ends),
  };
}

/**
 * Replaces a scan of more than half an entry by the whole entry less the rest. Not for an entry with deleted events,
 * which the sums still contain.
 */
function shorterWay({ from, to }: Window, finest: Rollup, complete: number): Ways {
  const entry = Math.floor(from / finest.ms);
  const [start, end] = [entry * finest.ms, (entry + 1) * finest.ms];
  if (to - from <= finest.ms / 2 || to > end || complete > start)
    return { sums: [], ends: [{ window: { from, to }, sign: 1 }] };
  const rests: readonly Window[] = [
    { from: start, to: from },
    { from: to, to: end },
  ];
  return {
    sums: [{ rollup: finest, from: entry, to: entry + 1 }],
    ends: rests.filter((rest) => rest.from < rest.to).map((rest) => ({ window: rest, sign: -1 })),
  };
}

/** Whole entries, and ends that are shorter than an entry. */
function split(
  { from, to }: Window,
  [rollup, ...finer]: readonly Rollup[],
): { sums: SumsPart[]; ends: Window[] } {
  if (from >= to) return { sums: [], ends: [] };
  if (rollup === undefined) return { sums: [], ends: [{ from, to }] };
  const first = Math.ceil(from / rollup.ms);
  const end = Math.floor(to / rollup.ms);
  if (first > end) return split({ from, to }, finer);
  const before = split({ from, to: first * rollup.ms }, finer);
  const after = split({ from: end * rollup.ms, to }, finer);
  return {
    sums: [...before.sums, ...(first < end ? [{ rollup, from: first, to: end }] : []), ...after.sums],
    ends: [...before.ends, ...after.ends],
  };
}

/**
 * Extends a window's bounds to whole hours, then days, if no sealed event lies in between, so that a window that ends
 * now is read without a scan of segments.
 */
function widen(reader: Reader, project: number, window: Window, complete: number): Window {
  if (window.from >= window.to) return window;
  const hasSegment = (from: number, to: number): boolean =>
    from < complete || segmentsOf(reader, project, { from, to }).length > 0;
  const hasHour = (from: number, to: number): boolean =>
    reader.rows('SELECT 1 FROM rollup_hours WHERE project = ? AND hour >= ? AND hour < ? LIMIT 1', [
      project,
      from / HOUR_MS,
      to / HOUR_MS,
    ]).length > 0;
  const hours = widenTo(ROLLUP_HOURS.ms, window, hasSegment);
  const from = hours.from % HOUR_MS === 0;
  const to = hours.to % HOUR_MS === 0;
  const days = widenTo(ROLLUP_DAYS.ms, hours, hasHour);
  return { from: from ? days.from : hours.from, to: to ? days.to : hours.to };
}

/** Extends the bounds to multiples of `ms` where `hasEvents` finds none in between. */
function widenTo(ms: number, { from, to }: Window, hasEvents: (from: number, to: number) => boolean): Window {
  const start = Math.floor(from / ms) * ms;
  const end = Math.ceil(to / ms) * ms;
  return {
    from: start < from && hasEvents(start, from) ? from : start,
    to: to < end && hasEvents(to, end) ? to : end,
  };
}

/** A chunk that is to be scanned in a window. */
export type Scan = { readonly ref: ChunkRef; readonly window: Window; readonly sign: 1 | -1 };

/** The chunks that parts of a window of a project require to scan. */
export const scansOf = (reader: Reader, project: number, { ends, unsealed }: Parts): Scan[] => [
  ...ends.flatMap(({ window, sign }) =>
    segmentsOf(reader, project, window).map((ref) => ({ ref, window, sign })),
  ),
  ...batchesOf(reader, project, unsealed).map((ref) => ({ ref, window: unsealed, sign: 1 as const })),
];
