import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder for a benchmark's files. `parent` chooses the disk. */
export const makeFolder = (parent?: string): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(parent ?? tmpdir(), 'spanledger-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Bytes of a database including its write-ahead log. */
export const databaseBytes = (path: string): number =>
  [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
