import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeEvent, SPREAD_MS } from './events.ts';
import { databaseBytes } from './folder.ts';
import { RAW_INSERT, RAW_TABLES, type RawTable, rawValues } from './raw-rows.ts';

/** The limit of ingest: how fast one thread inserts rows into the storage engine. */
export interface RawResult {
  readonly rows: number;
  readonly rowsPerSecond: number;
  readonly cpuMicrosPerRow: number;
  readonly bytesPerRow: number;
}

/** The rows that eight connections with batches of 100 have in flight. */
const ROWS_PER_COMMIT = 800;

/** Inserts events as rows: prepared, synchronous=FULL, no server in front, nothing counted. */
export const measureRaw = async (
  folder: string,
  rows: number,
  { table, ordered = false }: { table: RawTable; ordered?: boolean },
): Promise<RawResult> => {
  const path = join(mkdtempSync(join(folder, 'raw-')), 'raw.db');
  const connection = await openRaw(path, table);
  const toInsert = await rowMaker();
  const insert = connection.prepare(RAW_INSERT);
  let wallMs = 0;
  let cpuMicros = 0;
  const now = Date.now();
  const kind = ordered ? {} : { spreadMs: SPREAD_MS };
  for (let done = 0; done < rows; done += ROWS_PER_COMMIT) {
    const group = Array.from({ length: ROWS_PER_COMMIT }, (_, i) =>
      toInsert(makeEvent(now + done + i, kind), done + i),
    );
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
  const bytes = databaseBytes(path);
  rmSync(dirname(path), { recursive: true });
  return {
    rows: inserted,
    rowsPerSecond: (inserted / wallMs) * 1000,
    cpuMicrosPerRow: cpuMicros / inserted,
    bytesPerRow: bytes / inserted,
  };
};

/** What two measurements of as many rows make together. */
export const bothOf = (before: RawResult, after: RawResult): RawResult => ({
  rows: before.rows + after.rows,
  rowsPerSecond: 2 / (1 / before.rowsPerSecond + 1 / after.rowsPerSecond),
  cpuMicrosPerRow: (before.cpuMicrosPerRow + after.cpuMicrosPerRow) / 2,
  bytesPerRow: (before.bytesPerRow + after.bytesPerRow) / 2,
});

const openRaw = async (path: string, table: RawTable) => {
  const { openWriteConnection } = await import('../../src/db/connection.ts');
  const connection = openWriteConnection(path);
  connection.exec(RAW_TABLES[table]);
  return connection;
};

/** Turns a wire event into the values of an insert, outside the measured time. */
const rowMaker = async () => {
  const [{ parseEvent }, { createPricer, normalizeUsage }, { createRedactor }, { DEFAULT_REDACT_KEYS }] =
    await Promise.all([
      import('../../src/core/events/index.ts'),
      import('../../src/core/pricing/index.ts'),
      import('../../src/lib/redact.ts'),
      import('../../src/lib/sensitive-keys.ts'),
    ]);
  const pricer = createPricer();
  const redact = createRedactor(DEFAULT_REDACT_KEYS);
  return (event: object, place: number) => {
    const parsed = parseEvent(event, { redact, storePrompts: false, now: Date.now() });
    if (!parsed.ok) throw new Error(parsed.error);
    const { buckets } = normalizeUsage(parsed.event);
    const { provider, model, ts } = parsed.event;
    const price = pricer.priceCall({ provider, model, ts, buckets });
    const costNano = price.status === 'unpriced' ? null : price.cost_nano;
    return rawValues(parsed.event, { buckets, costNano, costStatus: price.status }, place);
  };
};
