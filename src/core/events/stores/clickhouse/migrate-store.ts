import type { Config } from '../../../../config.ts';
import { addressOf } from './address.ts';
import { connectEngine } from './engine/connect.ts';
import { migrateEvents } from './schema/migrate.ts';

/**
 * Brings the tables of events on ClickHouse to this version, and names what was applied. Nothing without `EVENTS_URL`.
 * @throws AppError 503 if the server cannot be reached
 */
export async function migrateEventStore(config: Config): Promise<string[]> {
  const address = addressOf(config);
  if (address === null) return [];
  const engine = connectEngine(address);
  try {
    return await migrateEvents(engine);
  } finally {
    await engine.close();
  }
}
