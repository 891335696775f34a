import type { Connection, SqlValue } from '../../../db/connection.ts';
import { DELETING } from '../table.ts';
import type { ItemRow } from './item-row.ts';

/** A dataset as a change needs it. */
export type KnownDataset = {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly lastNo: number;
  readonly busy: string | null;
  /** `schemasText` of its schemas. */
  readonly schemas: string | null;
};

/** The row of an item that holds in the newest version. */
export type HeldRow = { readonly no: number; readonly fromVersion: number; readonly isSame: boolean };

export type ItemPlace = {
  readonly datasetId: string;
  readonly project: number;
  readonly no: number;
  readonly id: string;
  readonly version: number;
  readonly now: number;
};

/** What changes the counters of a dataset. */
export type Counted = { readonly rows: number; readonly bytes: number };

/** Datasets in the open transaction of the writing connection. */
export function datasetRows(connection: Connection) {
  const all = (sql: string) => {
    const prepared = connection.prepare(sql).raw(true);
    return (...args: SqlValue[]): SqlValue[][] => prepared.all(args) as SqlValue[][];
  };
  const run = (sql: string) => {
    const prepared = connection.prepare(sql);
    return (...args: SqlValue[]): number => prepared.run(args).changes;
  };
  const find = all(
    `SELECT id, name, version, last_no, busy, input_schema, expected_schema FROM datasets
     WHERE project_id = ? AND id = ? AND busy IS NOT '${DELETING}'`,
  );
  const usage = all(
    'SELECT count(*), coalesce(sum(rows), 0), coalesce(sum(bytes), 0) FROM datasets WHERE project_id = ?',
  );
  const held = all(
    `SELECT no, from_version, input IS ? AND expected IS ? AND metadata IS ? AND split IS ?
     FROM dataset_items WHERE dataset_id = ? AND id = ? AND to_version IS NULL`,
  );
  /** An id that was removed keeps its position when it comes back. */
  const earlier = all('SELECT no FROM dataset_items WHERE dataset_id = ? AND id = ? LIMIT 1');
  const insert = run(
    `INSERT INTO dataset_items (dataset_id, project, no, from_version, to_version, id, input, expected, metadata, split,
       user_id, source_trace_id, source_span_id, bytes, created_at)
     VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const close = run(
    'UPDATE dataset_items SET to_version = ? WHERE dataset_id = ? AND id = ? AND to_version IS NULL',
  );
  const dropped = all(
    'DELETE FROM dataset_items WHERE dataset_id = ? AND no = ? AND from_version = ? RETURNING bytes',
  );
  const count = run('UPDATE datasets SET last_no = ?, rows = rows + ?, bytes = bytes + ? WHERE id = ?');
  const setVersion = run(
    'UPDATE datasets SET version = ?, updated_at = ?, busy = NULL, busy_at = NULL WHERE id = ?',
  );
  const addVersion = run(
    `INSERT INTO dataset_versions (dataset_id, project_id, version, added, changed, removed, message, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setBusy = run('UPDATE datasets SET busy = ?, busy_at = ? WHERE id = ?');
  return {
    find(projectId: string, id: string): KnownDataset | null {
      const [row] = find(projectId, id);
      if (row === undefined) return null;
      const [found, name, version, lastNo, busy, input = null, expected = null] = row;
      return {
        id: String(found),
        name: String(name),
        version: Number(version),
        lastNo: Number(lastNo),
        busy: busy === null ? null : String(busy),
        // What is stored is JSON text already.
        schemas: input === null && expected === null ? null : `[${input},${expected}]`,
      };
    },
    usage(projectId: string): { datasets: number; rows: number; bytes: number } {
      const [row = []] = usage(projectId);
      return { datasets: Number(row[0]), rows: Number(row[1]), bytes: Number(row[2]) };
    },
    held(datasetId: string, id: string, { input, expected, metadata, split }: ItemRow): HeldRow | null {
      const [row] = held(input, expected, metadata, split, datasetId, id);
      if (row === undefined) return null;
      return { no: Number(row[0]), fromVersion: Number(row[1]), isSame: row[2] === 1 };
    },
    earlierNo(datasetId: string, id: string): number | null {
      const [row] = earlier(datasetId, id);
      return row === undefined ? null : Number(row[0]);
    },
    insert: ({ datasetId, project, no, id, version, now }: ItemPlace, item: ItemRow): number =>
      insert(
        ...[datasetId, project, no, version, id, item.input, item.expected, item.metadata, item.split],
        ...[item.userId, item.sourceTraceId, item.sourceSpanId, item.bytes, now],
      ),
    close: (datasetId: string, id: string, version: number): number => close(version, datasetId, id),
    /** Deletes a row that the running change made. Returns its bytes. */
    drop: (datasetId: string, { no, fromVersion }: HeldRow): number =>
      Number(dropped(datasetId, no, fromVersion)[0]?.[0] ?? 0),
    count: (datasetId: string, lastNo: number, { rows, bytes }: Counted): number =>
      count(lastNo, rows, bytes, datasetId),
    /** Ends an import without a new version. */
    release: (datasetId: string): number => setBusy(null, null, datasetId),
    setVersion: (datasetId: string, version: number, now: number): number =>
      setVersion(version, now, datasetId),
    addVersion,
    setBusy: (datasetId: string, busy: string | null, at: number | null): number =>
      setBusy(busy, at, datasetId),
  };
}
export type DatasetRows = ReturnType<typeof datasetRows>;
