import type { SqlValue } from '../../db/connection.ts';
import type { WriteOp } from '../../db/group-commit.ts';

/**
 * How rows of a table are deleted a few at a time, as SQL. The rows are walked in the order of `key` and
 * each walk of a slice is one range of an index, however large the table. Every condition holds one `?`.
 */
export type Slice = {
  /** Name of the write, `feature.table`. */
  readonly name: string;
  readonly table: string;
  /** Columns that order the rows; together unique under `prefix`. `rowid` where nothing else serves. */
  readonly key: readonly string[];
  /** Equality on the columns before `key` in the index, such as `project = ?`. */
  readonly prefix?: string;
  /** Upper bound of the first column of `key`: the walk ends there. */
  readonly until?: string;
  /** Which of the rows go; all without it. */
  readonly where?: string;
};

/** The value for each condition of a slice. */
export type SliceValues = { readonly [C in 'prefix' | 'until' | 'where']?: SqlValue };

/** One slice: at most `rows` rows after the key `after`, from the start when null. */
export type SliceRequest = {
  readonly values: SliceValues;
  readonly after: readonly SqlValue[] | null;
  readonly rows: number;
};

/** `next` is where the following slice begins, null at the end of the walk; `ms` the time before COMMIT. */
export type SliceReply = { readonly deleted: number; readonly next: SqlValue[] | null; readonly ms: number };

/** The write that deletes one slice in a short transaction. Register it in the module's `writes`. */
export function sliceOp(slice: Slice): WriteOp<SliceRequest, SliceReply> {
  const { name, table, key, prefix, until, where } = slice;
  const tuple = `(${key.join(', ')})`;
  const marks = `(${key.map(() => '?').join(', ')})`;
  const given = (condition: string | undefined): string[] => (condition === undefined ? [] : [condition]);
  const conditions = (parts: string[]): string => (parts.length === 0 ? 'TRUE' : parts.join(' AND '));

  function findEnd(started: boolean): string {
    const parts = [...given(prefix), ...(started ? [`${tuple} > ${marks}`] : []), ...given(until)];
    return `SELECT ${key.join(', ')} FROM ${table} WHERE ${conditions(parts)} ORDER BY ${key.join(', ')} LIMIT 1 OFFSET ?`;
  }

  /** Beside an end `until` says nothing new, and SQLite would take it as the range instead of the end. */
  function remove(started: boolean, ended: boolean): string {
    const end = ended ? [`${tuple} <= ${marks}`] : given(until);
    const parts = [...given(prefix), ...(started ? [`${tuple} > ${marks}`] : []), ...end, ...given(where)];
    return `DELETE FROM ${table} WHERE ${conditions(parts)}`;
  }

  return {
    name,
    open(connection) {
      const prepared = new Map<string, ReturnType<typeof connection.prepare>>();
      const prepare = (sql: string): ReturnType<typeof connection.prepare> => {
        const statement = prepared.get(sql) ?? connection.prepare(sql);
        prepared.set(sql, statement);
        return statement;
      };

      return {
        apply({ values, after, rows }) {
          const since = performance.now();
          const started = after !== null;
          const start = [...argumentOf(prefix, values.prefix), ...(after ?? [])];
          const bound = argumentOf(until, values.until);
          const find = prepare(findEnd(started)).raw(true);
          const [end] = find.all([...start, ...bound, rows - 1]) as SqlValue[][];
          const next = end?.map(toBindable) ?? null;
          const args = [...start, ...(next ?? bound), ...argumentOf(where, values.where)];
          const deleted = prepare(remove(started, next !== null)).run(args).changes;
          return { deleted, next, ms: performance.now() - since };
        },
      };
    },
  };
}

function argumentOf(condition: string | undefined, value: SqlValue | undefined): SqlValue[] {
  if (condition === undefined) return [];
  if (value === undefined) throw new Error(`no value for ${condition}`);
  return [value];
}

/** The driver reads a blob as an ArrayBuffer and binds only views of one. */
function toBindable(value: SqlValue): SqlValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
