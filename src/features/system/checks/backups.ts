import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Ctx } from '../../../context.ts';
import { backupsIn, type KeptBackup } from '../../../db/backup-files.ts';
import { bytesText, countText } from '../../../lib/figures.ts';
import { HOUR_MS } from '../../../lib/time.ts';
import type { Finding } from '../contract.ts';
import { bad, ok, warn } from './findings.ts';

/** The server makes one an hour. */
const OLD_MS = 3 * HOUR_MS;

/** The age of the newest backup in BACKUP_TO. */
export function checkBackups({ config, now }: Ctx): Finding {
  const { BACKUP_TO: folder } = config;
  if (folder === undefined)
    return warn(
      'backups',
      'The server makes no backups: BACKUP_TO is not set',
      'Set BACKUP_TO to a folder on another disk, or run `spanledger backup` from a timer',
    );
  if (folder.startsWith('s3://'))
    return ok('backups', `The server copies to ${folder}; see its job backup.copy`);
  if (!isWritableFolder(folder))
    return bad('backups', `${folder} is no folder that can be written`, 'Make it, or correct BACKUP_TO');
  const backups = backupsIn(folder);
  const [newest] = backups;
  const run = 'Run `spanledger jobs run backup.copy` and see what it says';
  if (newest === undefined) return warn('backups', `${folder} has no backup yet`, run);
  const age = now() - newest.time;
  const text = `${countText(backups.length, 'backup')} in ${folder}; the newest is ${ageText(age)} old and has ${sizeOf(newest)}`;
  if (age > OLD_MS) return bad('backups', text, run);
  return ok('backups', text);
}

const sizeOf = ({ path }: KeptBackup): string =>
  bytesText(statSync(path, { throwIfNoEntry: false })?.size ?? 0);

const ageText = (ms: number): string =>
  ms < HOUR_MS ? countText(Math.round(ms / 60_000), 'minute') : countText(Math.round(ms / HOUR_MS), 'hour');

function isWritableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return existsSync(folder) && statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
