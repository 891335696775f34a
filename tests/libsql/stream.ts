import Libsql from 'libsql';
import { type Condition, type Statement, type Step, type StreamRequest, toSql, toValue } from './hrana.ts';
import { refuse } from './refused.ts';
import type { WriteTurn } from './write-turn.ts';

type Failure = { readonly message: string; readonly code: string };
type Result = ReturnType<typeof execute>;

/** A stream is one connection: transactions belong to it. */
export type Stream = { answer(request: StreamRequest): Promise<object>; end(): void };

const READS =
  /^\s*(?:(?:select|explain|pragma|begin deferred|commit|rollback)\b|with\b(?!.*\b(?:insert|update|delete)\b))/is;

export function openStream(file: string, turn: WriteTurn): Stream {
  const db = new Libsql(file);
  for (const pragma of ['busy_timeout = 0', 'foreign_keys = ON', 'synchronous = OFF'])
    db.exec(`PRAGMA ${pragma}`);
  const texts = new Map<number, string>();
  const me = {};

  const textOf = ({ sql, sql_id }: { readonly sql?: string; readonly sql_id?: number }): string =>
    sql ?? texts.get(sql_id ?? -1) ?? '';

  /** One stream writes at a time. SQLite's own lock is of no use: one SQLITE_BUSY spoils a connection of this driver. */
  async function inTurn<T>(sql: string, run: () => T): Promise<T> {
    if (!READS.test(sql)) await turn.take(me);
    try {
      return run();
    } finally {
      if (!db.inTransaction) turn.release(me);
    }
  }

  function executeInTurn(stmt: Statement): Promise<Result> {
    const sql = textOf(stmt);
    return inTurn(sql, () => execute(db, sql, stmt));
  }

  async function batch(steps: readonly Step[]): Promise<object> {
    const results: (Result | null)[] = [];
    const errors: (Failure | null)[] = [];
    const holds = (condition: Condition): boolean => {
      if ('step' in condition) return (condition.type === 'ok' ? results : errors)[condition.step] != null;
      if ('cond' in condition) return !holds(condition.cond);
      const { type, conds } = condition;
      return type === 'and' ? conds.every(holds) : conds.some(holds);
    };
    for (const { condition, stmt } of steps) {
      const isRun = condition == null || holds(condition);
      const outcome = isRun ? await executeInTurn(stmt).catch(toFailure) : null;
      const isFailure = outcome !== null && 'code' in outcome;
      results.push(isFailure ? null : outcome);
      errors.push(isFailure ? outcome : null);
    }
    return { step_results: results, step_errors: errors };
  }

  async function respond(request: StreamRequest): Promise<object> {
    if (request.type === 'execute') return { result: await executeInTurn(request.stmt) };
    if (request.type === 'batch') return { result: await batch(request.batch.steps) };
    if (request.type === 'store_sql') texts.set(request.sql_id, request.sql);
    else if (request.type === 'close_sql') texts.delete(request.sql_id);
    else if (request.type === 'sequence') {
      const sql = textOf(request);
      refuse(sql);
      await inTurn('sequence', () => db.exec(sql));
    } else if (request.type !== 'close') throw new Error('a request that the stand-in does not know');
    return {};
  }

  return {
    async answer(request) {
      try {
        return { type: 'ok', response: { type: request.type, ...(await respond(request)) } };
      } catch (error) {
        return { type: 'error', error: toFailure(error) };
      }
    },
    end() {
      if (db.inTransaction) db.exec('ROLLBACK');
      turn.release(me);
      db.close();
    },
  };
}

function execute(db: InstanceType<typeof Libsql>, sql: string, stmt: Statement) {
  refuse(sql);
  const args = (stmt.args ?? []).map(toSql) as never;
  const prepared = db.prepare(sql).safeIntegers(true);
  const cols = prepared.columns().map(({ name, type }) => ({ name, decltype: type ?? null }));
  if (cols.length === 0) {
    const { changes, lastInsertRowid } = prepared.run(args);
    return {
      cols,
      rows: [],
      affected_row_count: Number(changes),
      last_insert_rowid: String(lastInsertRowid),
    };
  }
  const rows = (prepared.raw(true).all(args) as unknown[][]).map((row) => row.map(toValue));
  const changed = /^\s*(insert|update|delete|replace)\b/i.test(sql) ? rows.length : 0;
  return {
    cols,
    rows: stmt.want_rows === false ? [] : rows,
    affected_row_count: changed,
    last_insert_rowid: null,
  };
}

/** A server sends SQLite's basic code, not the extended one. */
function toFailure(error: unknown): Failure {
  const { message, code = 'SQLITE_ERROR' } = error as Error & { code?: string };
  const basic = code.startsWith('SQLITE_CONSTRAINT') ? 'SQLITE_CONSTRAINT' : code;
  return { message: basic.startsWith('SQLITE_') ? `SQLite error: ${message}` : message, code: basic };
}
