import type { ReadOp } from '../../db/reader.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { DatasetItem } from './contract.ts';

export type ItemCounts = {
  readonly datasetId: string;
  readonly split: string | null;
  readonly items: number;
};

/** A dataset with its newest version. `isImporting`: rows of the next version are being written. */
export type CountedDataset = {
  readonly id: string;
  readonly version: number;
  readonly isImporting: boolean;
};

const AT_VERSION = 'from_version <= ?2 AND (to_version IS NULL OR to_version > ?2)';

/** Items of the newest versions by split, from an index unless an import runs. */
export const countItems: ReadOp<readonly CountedDataset[], ItemCounts[]> = {
  name: 'datasets.count',
  run: (reader, datasets) =>
    datasets.flatMap(({ id, version, isImporting }) =>
      reader.all<ItemCounts>(
        `SELECT dataset_id AS datasetId, split, count(*) AS items FROM dataset_items
         WHERE dataset_id = ?1 AND ?2 >= 0 AND ${isImporting ? AT_VERSION : 'to_version IS NULL'}
         GROUP BY split ORDER BY split`,
        [id, version],
      ),
    ),
};

/** Which items of a version to read. `after`: position of the last one before the page. */
export type ItemsQuery = {
  readonly datasetId: string;
  readonly version: number;
  /** Whether the version is the newest and no import runs: then an index has its splits. */
  readonly isNewest: boolean;
  readonly split?: string | undefined;
  readonly q?: string | undefined;
  readonly after: number;
  readonly limit: number;
};

type Row = {
  no: number;
  id: string;
  input: string;
  expected: string | null;
  metadata: string | null;
  split: string | null;
  source_trace_id: string | null;
  source_span_id: string | null;
  from_version: number;
  created_at: number;
  user_id: string | null;
};

/** An item of a version, for those who work on it; `userId` is not shown to people. */
export type ReadItem = DatasetItem & { readonly userId: string | null };

const plus = (condition: string): string => condition.replaceAll(/\b(to_version|split)\b/g, '+$1');

/** Bytes of a page; it ends early beyond them. */
const PAGE_BYTES = 4_000_000;

/** Items of a version in their order. `next` is the position to go on after; null at the end. */
export const listItems: ReadOp<ItemsQuery, { items: ReadItem[]; next: number | null }> = {
  name: 'datasets.items',
  run(reader, { datasetId, version, isNewest, split, q, after, limit }) {
    const holds = isNewest ? 'to_version IS NULL' : AT_VERSION;
    // A plus keeps SQLite from using the index of the splits where it is not in the order of the page.
    const place =
      isNewest && split !== undefined
        ? `${holds} AND split = ?4`
        : plus(`${holds} AND (?4 IS NULL OR split = ?4)`);
    const rows = reader.all<Row>(
      `SELECT no, id, input, expected, metadata, split, source_trace_id, source_span_id, from_version, created_at, user_id
       FROM dataset_items
       WHERE dataset_id = ?1 AND ?2 >= 0 AND no > ?3 AND ${place}
         AND (?5 IS NULL OR instr(lower(input), ?5) > 0 OR instr(lower(expected), ?5) > 0
           OR instr(lower(metadata), ?5) > 0 OR instr(lower(id), ?5) > 0)
       ORDER BY no LIMIT ?6`,
      [datasetId, version, after, split ?? null, q?.toLowerCase() ?? null, limit + 1],
    );
    const page: ReadItem[] = [];
    let bytes = 0;
    for (const row of rows.slice(0, limit)) {
      page.push(toItem(row));
      bytes += row.input.length + (row.expected?.length ?? 0) + (row.metadata?.length ?? 0);
      if (bytes > PAGE_BYTES) break;
    }
    return { items: page, next: page.length < rows.length ? (page.at(-1)?.no ?? null) : null };
  },
};

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

function toItem(row: Row): ReadItem {
  return {
    id: row.id,
    no: row.no,
    input: parsed(row.input),
    expectedOutput: parsed(row.expected),
    metadata: parsed(row.metadata) as DatasetItem['metadata'],
    split: row.split,
    sourceTraceId: row.source_trace_id,
    sourceSpanId: row.source_span_id,
    version: row.from_version,
    createdAt: formatInstant(row.created_at),
    userId: row.user_id,
  };
}

export type ItemsWanted = {
  readonly datasetId: string;
  readonly version: number;
  /** Positions, or ids. */
  readonly nos?: readonly number[];
  readonly ids?: readonly string[];
};

/** Some items of a version by their positions or ids; those that it does not have are left out. */
export const getItems: ReadOp<ItemsWanted, ReadItem[]> = {
  name: 'datasets.get-items',
  run: (reader, { datasetId, version, nos, ids }) =>
    reader
      .all<Row>(
        `SELECT no, id, input, expected, metadata, split, source_trace_id, source_span_id, from_version, created_at, user_id
         FROM dataset_items
         WHERE dataset_id = ?1 AND ${nos === undefined ? 'id' : 'no'} IN (SELECT value FROM json_each(?3))
           AND from_version <= ?2 AND (+to_version IS NULL OR +to_version > ?2)
         ORDER BY no`,
        [datasetId, version, JSON.stringify(nos ?? ids ?? [])],
      )
      .map(toItem),
};

export type CountWanted = {
  readonly datasetId: string;
  readonly version: number;
  readonly split: string | null;
};

/** Number of items of a version, or of a split of it. */
export const countVersion: ReadOp<CountWanted, number> = {
  name: 'datasets.count-version',
  run: (reader, { datasetId, version, split }) =>
    reader.all<{ items: number }>(
      `SELECT count(*) AS items FROM dataset_items
       WHERE dataset_id = ?1 AND ${AT_VERSION} AND (?3 IS NULL OR split = ?3)`,
      [datasetId, version, split],
    )[0]?.items ?? 0,
};

/** The position that a cursor names; 0 without one. Throws AppError 400. */
export function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor)) throw badRequest('cursor was not returned by this endpoint');
  return Number(cursor);
}
