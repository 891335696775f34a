import { join } from 'node:path';
import { makeEvent } from './events.ts';
import { databaseBytes } from './folder.ts';

/** The limit of ingest: how fast one thread inserts rows into the storage engine. */
export interface RawResult {
  readonly rows: number;
  readonly rowsPerSecond: number;
  readonly cpuMicrosPerRow: number;
  readonly bytesPerRow: number;
}

/** The rows that eight connections with batches of 100 have in flight. */
const ROWS_PER_COMMIT = 800;

/** Inserts the rows that ingest would, into the same schema: prepared, synchronous=FULL, no server in front. */
export const measureRaw = async (folder: string, rows: number): Promise<RawResult> => {
  const path = join(folder, 'raw.db');
  const connection = await openRaw(path);
  const { toInsert, insertSql } = await rowMaker();
  const insert = connection.prepare(insertSql);
  let wallMs = 0;
  let cpuMicros = 0;
  const now = Date.now();
  for (let done = 0; done < rows; done += ROWS_PER_COMMIT) {
    const group = Array.from({ length: ROWS_PER_COMMIT }, (_, i) => toInsert(makeEvent(now + done + i)));
    const cpu = process.cpuUsage();
    const started = performance.now();
    connection.exec('BEGIN IMMEDIATE');
    for (const row of group) insert.run(row);
    connection.exec('COMMIT');
    wallMs += performance.now() - started;
    const used = process.cpuUsage(cpu);
    cpuMicros += used.user + used.system;
  }
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  const inserted = Math.ceil(rows / ROWS_PER_COMMIT) * ROWS_PER_COMMIT;
  return {
    rows: inserted,
    rowsPerSecond: (inserted / wallMs) * 1000,
    cpuMicrosPerRow: cpuMicros / inserted,
    bytesPerRow: databaseBytes(path) / inserted,
  };
};

const openRaw = async (path: string) => {
  const [{ openWriteConnection }, { applyMigrations }, { migrations }] = await Promise.all([
    import('../../src/db/connection.ts'),
    import('../../src/db/migrate.ts'),
    import('../../migrations/index.ts'),
  ]);
  const connection = openWriteConnection(path);
  applyMigrations(connection, migrations, 0);
  connection.exec("INSERT INTO organizations (id, name, plan, created_at) VALUES ('org', 'x', 'scale', 0)");
  connection.exec(
    "INSERT INTO projects (no, id, organization_id, name, created_at) VALUES (1, 'prj', 'org', 'x', 0)",
  );
  return connection;
};

/** Turns a wire event into the values of an insert, outside the measured time. */
const rowMaker = async () => {
  const [events, pricing, { createRedactor }, { DEFAULT_REDACT_KEYS }] = await Promise.all([
    import('../../src/core/events/index.ts'),
    import('../../src/core/pricing/index.ts'),
    import('../../src/lib/redact.ts'),
    import('../../src/lib/sensitive-keys.ts'),
  ]);
  const { createRawInsert, parseEvent } = events;
  const { createPricer, normalizeUsage } = pricing;
  const pricer = createPricer();
  const redact = createRedactor(DEFAULT_REDACT_KEYS);
  const insert = createRawInsert();
  return {
    insertSql: insert.sql,
    toInsert: (event: object) => {
      const parsed = parseEvent(event, { redact, storePrompts: false, now: Date.now() });
      if (!parsed.ok) throw new Error(parsed.error);
      const { buckets } = normalizeUsage(parsed.event);
      const { provider, model, ts } = parsed.event;
      const price = pricer.priceCall({ provider, model, ts, buckets });
      const cost_nano = price.status === 'unpriced' ? null : price.cost_nano;
      const pricing = { is_call: true, buckets, cost_nano, cost_status: price.status };
      return insert.valuesOf(parsed.event, pricing);
    },
  };
};
