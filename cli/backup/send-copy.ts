import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { leftBehind, sealedName } from '../../src/db/backup-files.ts';
import type { BaseContext } from '../command.ts';
import { EXIT, UserError, usageError } from '../user-error.ts';
import { isBrokenPipe, writeAll } from '../write-file.ts';

/**
 * Copies the file beside itself for `use`, and removes the copy: what is sent must not change on its way.
 * @param from the database file
 */
export async function withCopy<T>(
  from: string,
  use: (copy: { readonly path: string; readonly size: number }) => Promise<T>,
): Promise<T> {
  const { backupFile } = await import('../../src/backup.ts');
  const path = `${from}.sending-${process.pid}`;
  for (const left of leftBehind(dirname(from), Date.now(), from)) rmSync(left, { force: true });
  removeCopy(path);
  try {
    return await use({ path, size: backupFile(from, path) });
  } finally {
    removeCopy(path);
  }
}

export const removeCopy = (path: string): void => {
  for (const file of [path, `${path}-wal`, `${path}-shm`, sealedName(path)]) rmSync(file, { force: true });
};

/**
 * Writes a backup to standard output.
 * @throws {UserError} usage (2) if that is a terminal, failure (1) if it is closed before the end
 */
export async function printCopy(ctx: BaseContext, path: string): Promise<void> {
  if (ctx.output.json || process.stdout.isTTY)
    throw usageError('The backup would be printed here', 'Redirect it: spanledger backup - >copy.db');
  try {
    for await (const chunk of Bun.file(path).stream()) writeAll(1, chunk);
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
    throw new UserError({
      what: 'Standard output was closed before the backup was whole',
      fix: 'Look at the program that reads it, and make the backup again',
      code: 'backup_incomplete',
      exit: EXIT.failure,
      cause: error,
    });
  }
}
