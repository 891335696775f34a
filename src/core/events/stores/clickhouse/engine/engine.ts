import type { Sql } from './sql.ts';

/** Values as the engine's JSON has them. */
export type EngineRow = Readonly<Record<string, unknown>>;

/** An insert that takes longer is given up by the engine, too, so that none arrives later than a minute after its start. */
export const INSERT_TIME = { max_execution_time: 60 } as const;

/** A ClickHouse server, or what stands for one. All methods reject with AppError 503 while it cannot answer. */
export type Engine = {
  /**
   * Rows of a query. The engine's row policy shows no other projects than these.
   * @param deadlineMs how long it may take; unless given, as long as a statement
   */
  read<T extends EngineRow>(projects: readonly number[], query: Sql, deadlineMs?: number): Promise<T[]>;
  /** A statement without an answer. */
  run(statement: Sql, settings?: Readonly<Record<string, string | number>>): Promise<void>;
  /** Inserts rows. Durable when it resolves. */
  insert(
    table: string,
    rows: readonly object[],
    settings?: Readonly<Record<string, string | number>>,
  ): Promise<void>;
  close(): Promise<void>;
};
