import { createHash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { DatabaseFileError } from './file/file-error.ts';

export type Migration = { readonly name: string; readonly sql: string };
export type MigrationState = { name: string; hash: string; appliedAt: number | null };

/** Between the statements of a migration. */
export const BREAKPOINT = '--> statement-breakpoint';

/** Where the applied migrations are recorded. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL)';

/**
 * Applies pending migrations, each in one transaction, and records their hashes.
 * @returns names of the applied migrations
 * @throws DatabaseFileError if the file is newer than this program or an applied migration was edited
 */
export function applyMigrations(
  connection: Connection,
  migrations: readonly Migration[],
  now: number,
): string[] {
  connection.exec(MIGRATIONS_TABLE);
  const pending = listMigrations(connection, migrations).filter((state) => state.appliedAt === null);
  const names = new Set(pending.map((state) => state.name));
  for (const migration of migrations.filter(({ name }) => names.has(name)))
    applyOne(connection, migration, now);
  return [...names];
}

/** Each known migration with the time it was applied, null if pending. Throws like `applyMigrations`. */
export function listMigrations(connection: Connection, migrations: readonly Migration[]): MigrationState[] {
  const applied = readApplied(connection);
  const known = migrations.map((migration) => ({ name: migration.name, hash: hashOf(migration) }));
  for (const [i, row] of applied.entries()) {
    const own = known[i];
    if (own === undefined || own.name !== row.name) throw newerFile(row.name, row.applied_at);
    if (own.hash !== row.hash)
      throw new DatabaseFileError(`Migration ${row.name} was changed after it was applied to this database`, {
        fix: 'Open it with the version that made it, or use another file',
        kind: 'database_newer',
      });
  }
  return known.map((own, i) => ({ ...own, appliedAt: applied[i]?.applied_at ?? null }));
}

function newerFile(migration: string, appliedAt: number): DatabaseFileError {
  const at = new Date(appliedAt).toISOString().slice(0, 16).replace('T', ' ');
  return new DatabaseFileError(
    `The database holds migration ${migration}, which this version does not know: a newer spanledger changed it at ${at} UTC`,
    {
      fix: `Install the newer version again, or go back with a backup made before that: \`spanledger restore BACKUP --db NEW_FILE\``,
      kind: 'database_newer',
    },
  );
}

function readApplied(connection: Connection): { name: string; hash: string; applied_at: number }[] {
  const exists = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").all([]);
  if (exists.length === 0) return [];
  return connection
    .prepare('SELECT name, hash, applied_at FROM migrations ORDER BY name')
    .all([]) as ReturnType<typeof readApplied>;
}

function applyOne(connection: Connection, migration: Migration, now: number): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const statement of migration.sql.split(BREAKPOINT)) connection.exec(statement);
    connection
      .prepare('INSERT INTO migrations (name, hash, applied_at) VALUES (?, ?, ?)')
      .run([migration.name, hashOf(migration), now]);
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Shows whether a migration was edited after it was applied. */
export function hashOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}
