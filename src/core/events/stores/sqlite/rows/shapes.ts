import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { C } from './row.ts';

/** Stores fields that many events share once, as numbered shapes. */
export type Shapes = {
  /** Replaces a row's shape text by its number, or moves the text into the row's detail. */
  settle(row: SqlValue[]): void;
  /** Clears cached numbers that a rollback may have removed. */
  forget(): void;
};

/** Maximum number of shapes per project. Tags that differ per event are no shape and stay with the event. */
const MAX_SHAPES = 5_000;
const MAX_LENGTH = 1_000;
const REMEMBERED = 20_000;

export function createShapes(connection: Connection): Shapes {
  const find = connection.prepare('SELECT id FROM event_shapes WHERE project = ? AND json = ?').raw(true);
  const insert = connection
    .prepare('INSERT INTO event_shapes (project, json) VALUES (?, ?) RETURNING id')
    .raw(true);
  const count = connection.prepare('SELECT count(*) FROM event_shapes WHERE project = ?').raw(true);
  /** By project and text. */
  let ids = new Map<number, Map<string, number | null>>();
  let remembered = 0;
  let counts = new Map<number, number>();

  function idOf(project: number, json: string): number | null {
    if (json.length > MAX_LENGTH) return null;
    const known = ids.get(project)?.get(json);
    if (known !== undefined) return known;
    if (remembered++ >= REMEMBERED) forgetIds();
    const id = findOrInsert(project, json);
    ids.set(project, (ids.get(project) ?? new Map<string, number | null>()).set(json, id));
    return id;
  }

  function forgetIds(): void {
    ids = new Map();
    remembered = 0;
  }

  function findOrInsert(project: number, json: string): number | null {
    const [found] = find.all([project, json]) as number[][];
    if (found !== undefined) return found[0] ?? null;
    const held = counts.get(project) ?? (count.all([project]) as number[][])[0]?.[0] ?? 0;
    if (held >= MAX_SHAPES) return null;
    counts.set(project, held + 1);
    return (insert.all([project, json]) as number[][])[0]?.[0] ?? null;
  }

  return {
    settle(row) {
      const json = row[C.shape];
      if (typeof json !== 'string') return;
      const id = idOf(row[C.project] as number, json);
      row[C.shape] = id;
      if (id === null) row[C.detail] = joinObjects(json, row[C.detail] as string | null);
    },
    forget() {
      forgetIds();
      counts = new Map();
    },
  };
}

/** Joins two non-empty JSON objects into one, as text. */
function joinObjects(one: string, other: string | null): string {
  return other === null ? one : `${one.slice(0, -1)},${other.slice(1)}`;
}
