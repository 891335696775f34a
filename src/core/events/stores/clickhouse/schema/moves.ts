import { unavailable } from '../../../../../errors.ts';
import type { Engine } from '../engine/engine.ts';
import { sql, texts } from '../engine/sql.ts';

/** What was last noted of a move into a database, by name. */
export async function notesOfMove(engine: Engine, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await engine.read<{ name: string; value: string }>(
    [],
    sql`SELECT name, argMax(value, at) AS value FROM moves WHERE name IN ${texts(names)} GROUP BY name`,
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/**
 * Nobody else may write to a database while a move fills it, nor read what is not complete.
 * @throws AppError 503
 */
export async function refuseUnfinishedMove(engine: Engine): Promise<void> {
  if ((await notesOfMove(engine, ['state'])).get('state') !== 'copying') return;
  throw unavailable(
    'A move of events into this ClickHouse database is not finished: run `spanledger move` again, and set EVENTS_URL when it is done',
    60,
  );
}
