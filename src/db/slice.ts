import type { Connection, SqlValue } from './connection.ts';
import type { WriteOp } from './group-commit.ts';

/**
 * Describes, in SQL, how to delete a table's rows a few at a time. The rows are scanned in the order of `key`, and
 * each slice is one index range, so its cost does not depend on the table's size. Every condition contains one `?`.
 */
export type Slice = {
  readonly table: string;
  /** Columns that order the rows; together unique within `prefix`. Use `rowid` if no index fits. */
  readonly key: readonly string[];
  /** Equality on the columns before `key` in the index, such as `project = ?`. */
  readonly prefix?: string;
  /** Upper bound of the first column of `key`; the scan ends there. */
  readonly until?: string;
  /** Which rows are deleted; all if unset. */
  readonly where?: string;
};

/** The value for each condition of a slice. */
export type SliceValues = { readonly [C in 'prefix' | 'until' | 'where']?: SqlValue };

/** One slice: at most `rows` rows after the key `after`, or from the start if null. */
export type SliceRequest = {
  readonly slice: Slice;
  readonly values: SliceValues;
  readonly after: readonly SqlValue[] | null;
  readonly rows: number;
};

/** `next` is the start of the next slice, null at the end of the scan. `ms` is the time before COMMIT. */
export type SliceReply = { readonly deleted: number; readonly next: SqlValue[] | null; readonly ms: number };

/** Deletes one slice in a short transaction. The request names the table. */
export const sliceOp: WriteOp<SliceRequest, SliceReply> = {
  name: 'slice',
  open(connection) {
    const prepare = createStatementCache(connection);
    return {
      apply({ slice, values, after, rows }) {
        const since = performance.now();
        const started = after !== null;
        const start = [...argumentOf(slice.prefix, values.prefix), ...(after ?? [])];
        const bound = argumentOf(slice.until, values.until);
        const find = prepare(findEnd(slice, started)).raw(true);
        const [end] = find.all([...start, ...bound, rows - 1]) as SqlValue[][];
        const next = end?.map(toBindable) ?? null;
        const args = [...start, ...(next ?? bound), ...argumentOf(slice.where, values.where)];
        const deleted = prepare(removal(slice, started, next !== null)).run(args).changes;
        return { deleted, next, ms: performance.now() - since };
      },
    };
  },
};

type Statement = ReturnType<Connection['prepare']>;

/** Caches prepared statements without bound, because a program has few distinct slices. */
function createStatementCache(connection: Connection): (sql: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const statement = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

const given = (condition: string | undefined): string[] => (condition === undefined ? [] : [condition]);
const conditions = (parts: readonly string[]): string => (parts.length === 0 ? 'TRUE' : parts.join(' AND '));
const tupleOf = (key: readonly string[]): string => `(${key.join(', ')})`;
const marksOf = (key: readonly string[]): string => `(${key.map(() => '?').join(', ')})`;

/** Conditions for the start of a slice. */
const startOf = ({ prefix, key }: Slice, started: boolean): string[] => {
  const after = started ? [`${tupleOf(key)} > ${marksOf(key)}`] : [];
  return [...given(prefix), ...after];
};

function findEnd(slice: Slice, started: boolean): string {
  const { table, key, until } = slice;
  const where = conditions([...startOf(slice, started), ...given(until)]);
  return `SELECT ${key.join(', ')} FROM ${table} WHERE ${where} ORDER BY ${key.join(', ')} LIMIT 1 OFFSET ?`;
}

/**
 * If the end is known, `until` is redundant and left out: SQLite would use it for the index range instead of the end.
 */
function removal(slice: Slice, started: boolean, ended: boolean): string {
  const { table, key, until, where } = slice;
  const end = ended ? [`${tupleOf(key)} <= ${marksOf(key)}`] : given(until);
  return `DELETE FROM ${table} WHERE ${conditions([...startOf(slice, started), ...end, ...given(where)])}`;
}

function argumentOf(condition: string | undefined, value: SqlValue | undefined): SqlValue[] {
  if (condition === undefined) return [];
  if (value === undefined) throw new Error(`no value for ${condition}`);
  return [value];
}

/** The driver returns blobs as ArrayBuffer but binds only views of one. */
function toBindable(value: SqlValue): SqlValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
