import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { migrations } from '../../migrations/index.ts';
import { openDb } from '../../src/db/open.ts';
import { tables } from '../../src/features.ts';
import { openFolder } from './folder.ts';

let bytes: Promise<Buffer> | null = null;

async function migrate(): Promise<Buffer> {
  const folder = openFolder();
  const path = folder.path('migrated.db');
  await openDb({ path, migrations, tables, writes: { ops: [] }, now: 0 }).close();
  const made = readFileSync(path);
  folder.remove();
  return made;
}

/** Puts a file with all tables at `path`, if none is there: all migrations take longer than most tests. */
export async function placeMigratedFile(path: string): Promise<void> {
  bytes ??= migrate();
  if (!existsSync(path)) writeFileSync(path, await bytes, { mode: 0o600 });
}
