import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { migrations } from '../../migrations/index.ts';
import { openWriteConnection } from '../../src/db/connection.ts';
import { numberFile } from '../../src/db/file/file-number.ts';
import { applyMigrations } from '../../src/db/migrate.ts';
import { openFolder } from './folder.ts';

let bytes: Buffer | null = null;

function migrate(): Buffer {
  const folder = openFolder();
  const path = folder.path('migrated.db');
  const connection = openWriteConnection(path);
  applyMigrations(connection, migrations, 0);
  // Moves the log into the file, too.
  numberFile(connection);
  connection.close();
  const made = readFileSync(path);
  folder.remove();
  return made;
}

/** Puts a file with all tables at `path`, if none is there: all migrations take longer than most tests. */
export function placeMigratedFile(path: string): void {
  bytes ??= migrate();
  if (!existsSync(path)) writeFileSync(path, bytes, { mode: 0o600 });
}
