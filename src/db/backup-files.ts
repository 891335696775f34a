import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** Name of a backup in a folder; the time is UTC. */
const NAME = /^spanledger-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

/** The secret that belongs to a backup, encrypted. */
export const sealedName = (backup: string): string => `${backup}.secret.sealed`;

export const isFolder = (path: string): boolean =>
  path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory());

/** Name of a backup that is made now: `spanledger-20261123T140500Z.db`. */
export function backupName(now: number): string {
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
  return `spanledger-${time}.db`;
}

/** The time of a backup by its name, in epoch milliseconds; null for another file. */
export function backupTime(name: string): number | null {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  if (year === undefined) return null;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}

/** The file for a backup: the path itself, or a new name in the folder. */
export const placeFor = (target: string, now: number): string =>
  isFolder(target) ? resolve(target, backupName(now)) : resolve(target);

/** A backup in a folder. */
export type KeptBackup = {
  readonly path: string;
  /** Epoch milliseconds, of its name. */
  readonly time: number;
};

/** The backups of a folder, newest first. Other files are not touched. */
export const backupsIn = (folder: string): KeptBackup[] =>
  readdirSync(folder)
    .flatMap((name): KeptBackup[] => {
      const time = backupTime(name);
      return time === null ? [] : [{ path: join(folder, name), time }];
    })
    .sort((a, b) => b.time - a.time);

const HOUR_MS = 3_600_000;

/**
 * What backups that were killed have left in a folder: unfinished copies into it, and copies of the database file
 * beside it that were being sent. One that is being written is younger.
 * @param file the database file, for copies beside it
 */
export const leftBehind = (folder: string, now: number, file?: string): string[] =>
  readdirSync(folder)
    .filter((name) =>
      file === undefined
        ? name.endsWith('.part') && backupTime(name.slice(0, -'.part'.length)) !== null
        : name.startsWith(`${basename(file)}.sending-`) && /\.sending-\d+(\.part)?$/.test(name),
    )
    .map((name) => join(folder, name))
    .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > HOUR_MS);
