import { rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { bytesText, countText } from '../../src/lib/figures.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { bringUpToDate } from '../backup/bring-up-to-date.ts';
import { describeVerified, refuseProblems } from '../backup/print-verified.ts';
import { verifyPath } from '../backup/verify-path.ts';
import type { BaseContext } from '../command.ts';
import { EXIT, UserError } from '../user-error.ts';
import { reportTo } from './report-progress.ts';

/** A copy, what the upgrade adds to it, and its log. */
const ROOM = 2.5;

/**
 * Upgrades a copy of a file and verifies it, so that the upgrade itself brings no surprise. The file stays as it is, and
 * a server may run on it.
 * @param named the file; --db unless given
 * @throws {DatabaseFileError} (6) if it is damaged, or a newer version changed it
 */
export async function checkUpgrade(ctx: BaseContext, named: string | undefined): Promise<undefined> {
  const { output } = ctx;
  const [{ databasePath, migrationStates }, { migrations }, { isOldFile }] = await Promise.all([
    import('../../src/db/open.ts'),
    import('../../migrations/index.ts'),
    import('../../src/db/file/old-file.ts'),
  ]);
  const path = named === undefined ? databasePath(ctx.config().values.DATABASE_URL) : resolve(named);
  const isOld = isOldFile(path);
  const pending = isOld
    ? migrations.map(({ name }) => name)
    : migrationStates(path, migrations).flatMap(({ name, appliedAt }) => (appliedAt === null ? [name] : []));
  if (pending.length === 0) {
    output.result({ file: path, pending, tried: false, seconds: null }, () =>
      output.success(`${path} is of this version: nothing to do`),
    );
    return undefined;
  }
  requireRoom(path);
  const copy = `${path}.check-${process.pid}`;
  const since = performance.now();
  try {
    await (isOld ? upgradeCopy(ctx, path, copy) : migrateCopy(ctx, path, copy));
    const seconds = Math.round((performance.now() - since) / 100) / 10;
    const verified = await verifyPath(ctx, copy);
    refuseProblems(copy, verified);
    output.result({ file: path, pending, tried: true, seconds }, () => {
      output.success(`A copy of ${path} was upgraded in ${seconds} s: ${describeVerified(verified)}`);
      output.line(
        isOld
          ? `${path} is of version 0.1: run \`spanledger upgrade ${shellWord(path)} NEW_FILE\``
          : `${countText(pending.length, 'change')} to make: ${pending.join(', ')}`,
      );
    });
  } finally {
    for (const end of [
      '',
      '-wal',
      '-shm',
      '.lock',
      '.secret',
      '.part',
      '.part-wal',
      '.part-shm',
      '.part.lock',
    ])
      rmSync(`${copy}${end}`, { force: true });
  }
  output.info(
    isOld
      ? 'The old file stays as it is: it is the way back'
      : 'Make a backup, then start the server. The way back is that backup: older versions refuse the upgraded file',
  );
  return undefined;
}

/** @throws {UserError} `disk_full` (1) */
function requireRoom(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const needed = statSync(path).size * ROOM;
  if (bavail * bsize >= needed) return;
  throw new UserError({
    what: `The check needs ${bytesText(needed)} beside ${path}, and ${bytesText(bavail * bsize)} are free`,
    fix: 'Free some space, or check a backup on another disk: spanledger upgrade --check BACKUP',
    code: 'disk_full',
    exit: EXIT.failure,
  });
}

async function migrateCopy(ctx: BaseContext, path: string, copy: string): Promise<void> {
  const { backupFile } = await import('../../src/backup.ts');
  backupFile(path, copy);
  await bringUpToDate(ctx, copy);
}

async function upgradeCopy(ctx: BaseContext, path: string, copy: string): Promise<void> {
  const { upgradeFile } = await import('../../src/upgrade.ts');
  await upgradeFile({ from: path, to: copy, signal: ctx.signal, onProgress: reportTo(ctx) });
}
