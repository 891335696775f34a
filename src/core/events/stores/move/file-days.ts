import type { Reader } from '../../../../db/reader.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import { readOp } from '../sqlite/read-op.ts';
import { flipsOf, openBatch } from '../sqlite/scan/open-batches.ts';

/** A UTC day of a project in the file. */
export type FileDay = {
  /** Days since the epoch. */
  readonly day: number;
  /** Differs whenever an event of the day was added, changed or deleted. */
  readonly stamp: string;
  /** The segments with its events, and the unsealed batches with some. */
  readonly parts: readonly FilePart[];
  /** Whether sums of the day may be of events that are gone: retention deleted them, or they were given up as damaged. */
  readonly isCut: boolean;
};

/** Where events of a day are. `key` differs whenever one of its events changed. */
export type FilePart = { readonly kind: 'segment' | 'batch'; readonly no: number; readonly key: string };

/** What a project has in the file. */
export type FileDays = {
  readonly events: number;
  /** Events that can't be read. */
  readonly damaged: number;
  /** Batches that wait to be inserted into events on another engine. */
  readonly waiting: number;
  readonly days: readonly FileDay[];
};

type Parts = { parts: FilePart[]; sums: string; isCut: boolean };

/** The days of an unsealed batch by its number: a batch never changes. */
export type BatchDays = Map<number, readonly number[]>;

/** The days of a project with events or with sums of events that are gone. */
export const fileDaysRead = readOp(
  'move-days',
  (reader, { project, known }: { readonly project: number; readonly known: BatchDays }): FileDays => {
    const days = new Map<number, Parts>();
    const of = (day: number): Parts => {
      const found = days.get(day) ?? { parts: [], sums: '', isCut: false };
      days.set(day, found);
      return found;
    };
    let events = 0;
    for (const [no, version, count, first, flips] of reader.rows(
      `SELECT s.no, s.version, s.events, s.first_ts, f.places FROM event_segments s
         LEFT JOIN event_segment_flips f ON f.no = s.no
       WHERE s.ready = 1 AND s.project = ? ORDER BY s.no`,
      [project],
    )) {
      const key = `s${no}.${version}.${flips ?? ''}`;
      of(Math.floor(Number(first) / DAY_MS)).parts.push({ kind: 'segment', no: Number(no), key });
      events += Number(count);
    }
    const flips = flipsOf(reader, 'SELECT seq, places FROM event_log_flips WHERE project = ?', project);
    for (const row of reader.rows(
      'SELECT seq, events, first_ts, last_ts FROM event_log WHERE project = ? ORDER BY seq',
      [project],
    )) {
      const [seq, count, first, last] = row.map(Number) as [number, number, number, number];
      for (const no of daysOf(reader, { project, seq, events: count, first, last }, known)) {
        of(no).parts.push({ kind: 'batch', no: seq, key: `b${seq}.${flips.get(seq) ?? ''}` });
      }
      events += count;
    }
    for (const [day, ...sums] of sumsOfGone(reader, project)) {
      const cut = of(Number(day));
      cut.sums = sums.join();
      cut.isCut = true;
    }
    return {
      events,
      damaged: damagedIn(reader, project),
      waiting: Number(
        reader.rows('SELECT count(*) FROM event_outbox WHERE project = ?', [project])[0]?.[0] ?? 0,
      ),
      days: [...days].map(([day, { parts, sums, isCut }]) => ({
        day,
        stamp: Bun.hash([...parts.map(({ key }) => key), sums].join()).toString(36),
        parts,
        isCut,
      })),
    };
  },
);

type Batch = Readonly<Record<'project' | 'seq' | 'events' | 'first' | 'last', number>>;

function daysOf(reader: Reader, batch: Batch, known: BatchDays): readonly number[] {
  const [first, last] = [Math.floor(batch.first / DAY_MS), Math.floor(batch.last / DAY_MS)];
  if (first === last) return [first];
  const found =
    known.get(batch.seq) ??
    [...new Set(openBatch(reader, batch, { flips: undefined }).numbers('ts'))].map((ts) =>
      Math.floor(ts / DAY_MS),
    );
  const days = [...new Set(found)];
  known.set(batch.seq, days);
  return days;
}

/** What shows whether sums of days changed of which events are gone: retention deleted them, or they were damaged. */
function sumsOfGone(reader: Reader, project: number): unknown[][] {
  const [[before = null] = []] = reader.rows('SELECT ts FROM rows_from WHERE project = ?', [project]);
  const lost = reader
    .rows('SELECT DISTINCT first_ts FROM event_segments WHERE ready > 1 AND ready = 3 AND project = ?', [
      project,
    ])
    .map(([ts]) => Math.floor(Number(ts) / DAY_MS));
  if (before === null && lost.length === 0) return [];
  return reader.rows(
    `SELECT day, count(*), total(requests), total(cost_nano), total(fresh_tokens), total(output_tokens), total(latency_us)
     FROM rollup_days WHERE project = ?1 AND (day * ${DAY_MS} < ?2 OR day IN (SELECT value FROM json_each(?3))) GROUP BY day`,
    [project, Number(before ?? Number.MIN_SAFE_INTEGER), JSON.stringify(lost)],
  );
}

function damagedIn(reader: Reader, project: number): number {
  const [[events = 0] = []] = reader.rows(
    `SELECT (SELECT total(events) FROM event_segments WHERE ready > 1 AND ready = 2 AND project = ?1)
       + (SELECT total(events) FROM event_log_damaged WHERE lost = 0 AND project = ?1)`,
    [project],
  );
  return Number(events);
}
