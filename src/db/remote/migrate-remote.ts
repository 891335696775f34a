import type { Connection } from '../connection.ts';
import { BREAKPOINT, hashOf, listMigrations, MIGRATIONS_TABLE, type Migration } from '../migrate.ts';

/**
 * Applies pending migrations on a server, each in one transaction. The row that records a migration is written first:
 * if another process was faster, it is there already and nothing is applied twice.
 * @returns names of the applied migrations
 * @throws DatabaseFileError like `applyMigrations`
 */
export function migrateRemote(
  connection: Connection,
  migrations: readonly Migration[],
  now: number,
): string[] {
  connection.exec(MIGRATIONS_TABLE);
  const pending = listMigrations(connection, migrations).filter(({ appliedAt }) => appliedAt === null);
  const names = new Set(pending.map(({ name }) => name));
  return migrations
    .filter(({ name }) => names.has(name))
    .filter((migration) => applyOne(connection, migration, now))
    .map(({ name }) => name);
}

const scriptOf = ({ sql }: Migration): string =>
  sql
    .split(BREAKPOINT)
    .map((statement) => statement.trim().replace(/;$/, ''))
    .join(';\n');

function applyOne(connection: Connection, migration: Migration, now: number): boolean {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const { changes } = connection
      .prepare('INSERT INTO migrations (name, hash, applied_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run([migration.name, hashOf(migration), now]);
    if (changes === 1) connection.exec(scriptOf(migration));
    connection.exec('COMMIT');
    return changes === 1;
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}
