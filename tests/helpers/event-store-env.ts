import { databaseOf } from '../clickhouse/start.ts';

/** Whether the tests run with events on ClickHouse: `EVENT_STORE=clickhouse bun test --timeout 400000 …`. */
export const isOnClickhouse = process.env.EVENT_STORE === 'clickhouse';

/** The settings of a database of events that belongs to a folder; none with events in the database file. */
export const eventStoreEnv = async (folder: string): Promise<Record<string, string>> =>
  isOnClickhouse ? clickhouseEnv(folder) : {};

export async function clickhouseEnv(folder: string): Promise<Record<string, string>> {
  const { port, database } = await databaseOf(folder);
  return { EVENTS_URL: `clickhouse://writer@127.0.0.1:${port}/${database}`, EVENTS_READ_USER: 'reader' };
}
