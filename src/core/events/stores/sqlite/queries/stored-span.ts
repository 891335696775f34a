import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { StoredSpan } from '../../../read-queries.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { ALL_TIME } from '../scan/open-chunks.ts';

/**
 * The times of the scope's first day with events, which may be older than its first stored event, and of its newest
 * event.
 */
export function readSpan(reader: Reader): StoredSpan {
  const spans = reader.projects.map((project) => {
    const [day] = reader.rows('SELECT min(day) FROM rollup_days WHERE project = ?', [project]);
    const [segment] = reader.rows('SELECT max(last_ts) FROM event_segments WHERE ready = 1 AND project = ?', [
      project,
    ]);
    const sealed = { first: timeOf(day?.[0], DAY_MS), last: timeOf(segment?.[0], 1) };
    return widen(sealed, unsealedTimes(reader, project));
  });
  const { first, last } = spans.reduce(widen, NO_TIMES);
  return {
    firstDay: first === null ? null : Math.floor(first / DAY_MS) * DAY_MS,
    newest: last,
  };
}

type Times = { readonly first: number | null; readonly last: number | null };
const NO_TIMES: Times = { first: null, last: null };

const timeOf = (value: unknown, unit: number): number | null =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) * unit : null;

const widen = (a: Times, b: Times): Times => ({
  first: a.first === null || b.first === null ? (a.first ?? b.first) : Math.min(a.first, b.first),
  last: a.last === null || b.last === null ? (a.last ?? b.last) : Math.max(a.last, b.last),
});

/** Bounds of a batch may be those of a duplicate: then it is opened, if it matters. */
function unsealedTimes(reader: Reader, project: number): Times {
  const [row] = reader.rows(
    'SELECT min(first_ts), max(last_ts) FROM event_log WHERE project = ? AND dropped IS NULL',
    [project],
  );
  let times: Times = { first: timeOf(row?.[0], 1), last: timeOf(row?.[1], 1) };
  const [uncertain] = reader.rows(
    'SELECT 1 FROM event_log WHERE project = ? AND dropped IS NOT NULL LIMIT 1',
    [project],
  );
  if (uncertain === undefined) return times;
  for (const ref of batchesOf(reader, project, ALL_TIME)) {
    if (times.first !== null && times.last !== null && ref.first >= times.first && ref.last <= times.last)
      continue;
    const chunk = ref.open();
    const present = chunk.present();
    for (const [place, ts] of chunk.numbers('ts').entries())
      if (present[place] === 1) times = widen(times, { first: ts, last: ts });
  }
  return times;
}
