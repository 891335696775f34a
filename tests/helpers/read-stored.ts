import { dirname } from 'node:path';
import { connectEngine } from '../../src/core/events/stores/clickhouse/engine/connect.ts';
import { ints, sql } from '../../src/core/events/stores/clickhouse/engine/sql.ts';
import {
  type StoredRow as EngineRow,
  EVENT_COLUMNS,
  toEvent,
} from '../../src/core/events/stores/clickhouse/rows/to-event.ts';
import { clickhouseEnv, isOnClickhouse } from './event-store-env.ts';
import { queryFile, type StoredRow, storedEvents } from './stored-events.ts';

/** What both stores have of an event. `price`: the applied price as it is stored. */
export type Stored = Pick<StoredRow, 'project' | 'ts' | 'isCall' | 'costNano' | 'costStatus' | 'event'> & {
  readonly price: string | number | null;
};

/** All events of all projects, or of one, wherever the tests keep them. @param path the database file */
export async function readStored(path: string, project?: number): Promise<Stored[]> {
  if (!isOnClickhouse) return storedEvents(path, project);
  const projects = project === undefined ? queryFile(path, 'SELECT no FROM projects').flat() : [project];
  const { EVENTS_URL: url = '' } = await clickhouseEnv(dirname(path));
  const engine = connectEngine({ url, password: undefined, reader: null, insertQuorum: 0 });
  try {
    const rows = await engine.read<EngineRow>(
      projects.map(Number),
      sql`SELECT ${EVENT_COLUMNS} FROM events FINAL WHERE project IN ${ints(projects.map(Number))} AND NOT is_kept`,
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
  } finally {
    await engine.close();
  }
}
