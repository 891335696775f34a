import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT, UserError } from '../user-error.ts';

/** Name of a backup in a folder; the time is UTC. */
const NAME = /^spanledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

/** The secret that belongs to a backup, encrypted. */
export const sealedName = (backup: string): string => `${backup}.secret.sealed`;

export const isFolder = (path: string): boolean =>
  path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory());

/** The file for a backup: the path itself, or a new name in the folder. */
export function placeFor(target: string, now: number): string {
  if (!isFolder(target)) return resolve(target);
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
  return resolve(target, `spanledger-${time}.db`);
}

/** A backup in a folder. */
export interface Kept {
  readonly path: string;
  /** Epoch milliseconds, of its name. */
  readonly time: number;
}

/** The backups of a folder, newest first. Other files are not touched. */
export const backupsIn = (folder: string): Kept[] =>
  readdirSync(folder)
    .flatMap((name): Kept[] => {
      const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
      if (year === undefined) return [];
      const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      return Number.isNaN(time) ? [] : [{ path: join(folder, name), time }];
    })
    .sort((a, b) => b.time - a.time);

/** The backup itself, or the newest of a folder. @throws {UserError} `backup_missing` (3) */
export function chooseBackup(source: string): string {
  const missing = (what: string): UserError =>
    new UserError({
      what,
      fix: 'Name a file that `spanledger backup` wrote, or a folder with such files',
      code: 'backup_missing',
      exit: EXIT.notFound,
    });
  if (!existsSync(source)) throw missing(`There is no backup at ${source}`);
  if (!isFolder(source)) return resolve(source);
  const [newest] = backupsIn(source);
  if (newest === undefined) throw missing(`${source} has no backups`);
  return newest.path;
}
