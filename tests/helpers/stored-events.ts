import type { CostStatus, StoredEvent } from '../../src/core/events/contract.ts';
import { FLAG } from '../../src/core/events/stores/sqlite/columns.ts';
import type { Chunk } from '../../src/core/events/stores/sqlite/scan/chunk.ts';
import { keyOfLabels } from '../../src/core/events/stores/sqlite/scan/key-of-label.ts';
import { costStatusOf } from '../../src/core/events/stores/sqlite/scan/match.ts';
import { ALL_TIME, chunksOf } from '../../src/core/events/stores/sqlite/scan/open-chunks.ts';
import { bucketsAt, numberAt, toEvent } from '../../src/core/events/stores/sqlite/scan/to-event.ts';
import { SEGMENT_EVENTS } from '../../src/core/events/stores/sqlite/segments/pieces.ts';
import type { UsageBuckets } from '../../src/core/pricing/index.ts';
import { openReadConnection, type SqlValue } from '../../src/db/connection.ts';
import { openReadSession } from '../../src/db/reader.ts';
import { tables } from '../../src/features.ts';
import { DAY_MS } from '../../src/lib/time.ts';

/** An event as a database file stores it. */
export type StoredRow = {
  /** Number of the project. */
  readonly project: number;
  /** Number of its segment; null if it is not sealed. */
  readonly segment: number | null;
  /** Epoch milliseconds. */
  readonly ts: number;
  readonly isCall: boolean;
  /** Also of events that are not calls, as far as one is stored. */
  readonly costNano: number | null;
  readonly costStatus: CostStatus | null;
  /** Number of the applied price and of the label. */
  readonly price: number | null;
  readonly label: number;
  /** Number of its place in the graph of agents and tools; 0 for an unsealed event, whose number is not in the chunk. */
  readonly link: number;
  readonly buckets: UsageBuckets;
  /** What the API returns. */
  readonly event: StoredEvent;
};

/** The rows of a query without a scope, by a connection of its own. */
export function queryFile(path: string, sql: string): SqlValue[][] {
  const connection = openReadConnection(path);
  try {
    return connection.prepare(sql).raw(true).all([]) as SqlValue[][];
  } finally {
    connection.close();
  }
}

/** Several queries on one snapshot, for sums that the server may move between them. */
export function readSnapshot<T>(path: string, read: (query: Query) => T): T {
  const connection = openReadConnection(path);
  try {
    connection.exec('BEGIN');
    return read((sql) => connection.prepare(sql).raw(true).all([]) as SqlValue[][]);
  } finally {
    connection.close();
  }
}

/** All events of all projects, or of one, with all their fields. @param path the database file */
export function storedEvents(path: string, project?: number): StoredRow[] {
  const session = openReadSession(path, tables);
  try {
    const projects = project === undefined ? queryFile(path, 'SELECT no FROM projects').flat() : [project];
    return projects.map(Number).flatMap((no) => {
      const reader = session.open([no]);
      const keyOf = keyOfLabels(reader);
      return chunksOf(reader, no, ALL_TIME).flatMap((ref) => {
        const chunk = ref.open();
        return placesOf(chunk).map((place) => ({
          project: no,
          segment: ref.segment,
          ts: chunk.number('ts', place),
          isCall: ((chunk.bytes('flags')[place] ?? 0) & FLAG.call) !== 0,
          costNano: numberAt(chunk, 'cost_nano', place),
          costStatus: costStatusOf(chunk.bytes('cost_status')[place] ?? 0),
          price: numberAt(chunk, 'price', place),
          label: chunk.number('label', place),
          link: ref.segment === null ? 0 : chunk.number('link', place),
          buckets: bucketsAt(chunk, place),
          event: toEvent(chunk, place, keyOf),
        }));
      });
    });
  } finally {
    session.close();
  }
}

/** The input tokens, without cached ones, of all events of all projects: much faster than `storedEvents`. */
export function storedInputs(path: string): number[] {
  const session = openReadSession(path, tables);
  try {
    return queryFile(path, 'SELECT no FROM projects')
      .flat()
      .map(Number)
      .flatMap((no) =>
        chunksOf(session.open([no]), no, ALL_TIME).flatMap((ref) => {
          const chunk = ref.open();
          return placesOf(chunk).map((place) => chunk.number('fresh_tokens', place));
        }),
      );
  } finally {
    session.close();
  }
}

function placesOf(chunk: Chunk): number[] {
  const present = chunk.present();
  return Array.from(present.keys()).filter((place) => present[place] === 1);
}

/**
 * What is wrong with the stored events apart from the sums: see `sumFaults`. Empty if nothing is.
 * @param rows what `storedEvents` returns
 */
export function storageFaults(path: string, rows: readonly StoredRow[] = storedEvents(path)): string[] {
  return readSnapshot(path, (query) => [
    ...twice(rows),
    ...[...Map.groupBy(rows, ({ segment }) => segment)].flatMap(([no, own]) =>
      no === null ? [] : segmentFaults(query, no, own),
    ),
    ...leftovers(query),
  ]);
}

type Query = (sql: string) => SqlValue[][];

function twice(rows: readonly StoredRow[]): string[] {
  const keys = rows.map(({ project, ts, event }) => `${project} ${ts} ${event.event_id}`);
  return [...Map.groupBy(keys, (key) => key)]
    .filter(([, { length }]) => length > 1)
    .map(([key, { length }]) => `${length} times: ${key}`);
}

/** A segment has the events of one day, by time and id, and its row describes them. */
function segmentFaults(query: Query, no: number, rows: readonly StoredRow[]): string[] {
  const ordered = rows.toSorted((a, b) => a.ts - b.ts || (a.event.event_id < b.event.event_id ? -1 : 1));
  const days = new Set(rows.map(({ ts }) => Math.floor(ts / DAY_MS)));
  const [described] = query(`SELECT events, first_ts, last_ts FROM event_segments WHERE no = ${no}`);
  const found = [rows.length, ordered[0]?.ts, ordered.at(-1)?.ts];
  return [
    ...(ordered.every((row, i) => row === rows[i]) ? [] : [`segment ${no} is not in order`]),
    ...(days.size === 1 ? [] : [`segment ${no} has events of ${days.size} days`]),
    ...(rows.length <= SEGMENT_EVENTS ? [] : [`segment ${no} has ${rows.length} events`]),
    ...(Bun.deepEquals(described, found)
      ? []
      : [`segment ${no} has ${found} and is described as ${described}`]),
  ];
}

/** Rows that belong to nothing. Segments that are not ready are no fault: they are deleted with the next sealing. */
function leftovers(query: Query): string[] {
  const of: Record<string, string> = {
    event_pieces: 'id / 64 NOT IN (SELECT no FROM event_segments)',
    event_blocks: 'id / 16384 NOT IN (SELECT no FROM event_segments)',
    event_segment_flips: 'no NOT IN (SELECT no FROM event_segments)',
    event_segment_runs: 'id NOT IN (SELECT no FROM event_segments)',
    event_log_flips: 'seq NOT IN (SELECT seq FROM event_log)',
    event_log_links: 'seq NOT IN (SELECT seq FROM event_log UNION ALL SELECT seq FROM event_log_damaged)',
  };
  return Object.entries(of).flatMap(([table, isLeft]) => {
    const rows = Number(query(`SELECT count(*) FROM ${table} WHERE ${isLeft}`)[0]?.[0]);
    return rows === 0 ? [] : [`${table}: ${rows} rows that belong to nothing`];
  });
}
