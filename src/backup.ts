import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { openReadConnection } from './db/connection.ts';
import { DatabaseFileError, fileError } from './db/file/file-error.ts';
import { renumberFile } from './db/file/file-number.ts';
import { refuseOtherName } from './db/file/hold-file.ts';
import { AppError, conflict, notFound } from './errors.ts';

/**
 * Copies a file into a new one while a server writes to it: all that was committed when it began, and nothing later. The
 * copy has its name only when it is whole and on the disk.
 * @returns the size of the copy in bytes
 * @throws AppError 404 if its folder is missing, 409 if the copy exists, 507 if the disk is full, DatabaseFileError if the file is damaged
 */
export function backupFile(from: string, to: string): number {
  if (!existsSync(from)) throw new DatabaseFileError(`There is no database at ${from}`);
  refuseOtherName(from);
  if (!existsSync(dirname(to))) throw notFound(`There is no folder ${dirname(to)}; make it first`);
  if (existsSync(to)) throw conflict(`${to} already exists; choose another name for the backup`);
  const part = `${to}.part`;
  // What is left of a backup that was killed.
  rmSync(part, { force: true });
  try {
    closeSync(openSync(part, 'w', 0o600));
    copyInto(from, part);
    // So that the log of the original is never taken for that of the copy.
    renumberFile(part);
    chmodSync(part, 0o600);
    const { size } = statSync(part);
    place(part, to);
    return size;
  } catch (error) {
    rmSync(part, { force: true });
    if (isFull(error))
      throw new AppError(507, `The disk of ${to} is full; the backup was removed`, { cause: error });
    throw fileError(from, error);
  }
}

/**
 * Copies a database file, with what is in its log: that of a server that runs, or was killed. Without one it is a copy
 * of the bytes.
 * @param hasLog whether a log lay beside the file before this process opened it
 * @throws AppError 409 if a server has it open under another name
 */
export function copyWhole(from: string, to: string, hasLog: boolean): void {
  refuseOtherName(from);
  if (hasLog) copyInto(from, to);
  else copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

function copyInto(from: string, to: string): void {
  const connection = openReadConnection(from);
  try {
    connection.exec('PRAGMA query_only = OFF');
    connection.prepare('VACUUM INTO ?').run([to]);
  } finally {
    connection.close();
  }
}

/** Gives a finished file its name, so that a power cut leaves either the whole file or none. */
export function place(part: string, to: string): void {
  sync(part);
  renameSync(part, to);
  sync(dirname(to));
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  /ENOSPC|SQLITE_FULL|disk is full/.test(`${(error as { code?: unknown }).code} ${error.message}`);
