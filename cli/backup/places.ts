import { existsSync } from 'node:fs';
import { backupsIn, isFolder } from '../../src/db/backup-files.ts';
import { realPath } from '../../src/db/file/real-path.ts';
import { EXIT, UserError } from '../user-error.ts';

/** The backup itself, or the newest of a folder. @throws {UserError} `backup_missing` (3) */
export function chooseBackup(source: string): string {
  if (!existsSync(source)) throw backupMissing(`There is no backup at ${source}`);
  if (!isFolder(source)) return realPath(source);
  const [newest] = backupsIn(source);
  if (newest === undefined) throw backupMissing(`${source} has no backups`);
  return newest.path;
}

export const backupMissing = (what: string): UserError =>
  new UserError({
    what,
    fix: 'Name a file that `spanledger backup` wrote, or a folder with such files',
    code: 'backup_missing',
    exit: EXIT.notFound,
  });
