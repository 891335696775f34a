import { dirname } from 'node:path';
import { connectEngine } from '../../src/core/events/stores/clickhouse/engine/connect.ts';
import type { Engine } from '../../src/core/events/stores/clickhouse/engine/engine.ts';
import { ints, raw, sql, text } from '../../src/core/events/stores/clickhouse/engine/sql.ts';
import {
  type StoredRow as EngineRow,
  EVENT_COLUMNS,
  toEvent,
} from '../../src/core/events/stores/clickhouse/rows/to-event.ts';
import { clickhouseEnv, isOnClickhouse } from './event-store-env.ts';
import { queryFile, type StoredRow, storedEvents } from './stored-events.ts';
import { tablesWithText } from './stored-text.ts';

/** What both stores have of an event. `price`: the applied price as it is stored. */
export type Stored = Pick<StoredRow, 'project' | 'ts' | 'isCall' | 'costNano' | 'costStatus' | 'event'> & {
  readonly price: string | number | null;
};

/** All events of all projects, or of one, wherever the tests keep them. @param path the database file */
export async function readStored(path: string, project?: number): Promise<Stored[]> {
  if (!isOnClickhouse) return storedEvents(path, project);
  const projects = project === undefined ? projectsIn(path) : [project];
  return inEngine(path, async (engine) => {
    const rows = await engine.read<EngineRow>(
      projects,
      sql`SELECT ${EVENT_COLUMNS} FROM events FINAL WHERE project IN ${ints(projects)} AND NOT is_kept`,
    );
    return rows.map((row) => ({
      project: row.project,
      ts: row.ts,
      isCall: row.is_call === 1,
      costNano: row.cost_nano,
      costStatus: row.cost_status,
      price: row.price,
      event: toEvent(row),
    }));
  });
}

/** The tables that contain a text in any value, wherever the tests keep events: those of the file, then the engine's. */
export async function storedTablesWithText(path: string, wanted: string): Promise<string[]> {
  const ofFile = tablesWithText(path, wanted);
  if (!isOnClickhouse) return ofFile;
  return inEngine(path, async (engine) => {
    const projects = projectsIn(path);
    const tables = await engine.read<{ name: string }>(
      projects,
      sql`SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const has = sql`position(toString(tuple(*)), ${text(wanted)}) > 0`;
      const rows = await engine.read(projects, sql`SELECT 1 FROM ${raw(name)} WHERE ${has} LIMIT 1`);
      if (rows.length > 0) found.push(`clickhouse ${name}`);
    }
    return [...ofFile, ...found];
  });
}

const projectsIn = (path: string): number[] => queryFile(path, 'SELECT no FROM projects').flat().map(Number);

async function inEngine<T>(path: string, use: (engine: Engine) => Promise<T>): Promise<T> {
  const { EVENTS_URL: url = '' } = await clickhouseEnv(dirname(path));
  const engine = connectEngine({ url, password: undefined, reader: null, insertQuorum: 0 });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}
