import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sealedName } from '../../src/db/backup-files.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { defineCommand } from '../command.ts';
import { usageError } from '../user-error.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { readPassphrase } from './passphrase.ts';
import { chooseBackup } from './places.ts';
import { describeVerified, refuseProblems } from './print-verified.ts';
import { requireLedger } from './require-ledger.ts';
import { fetchBackup, isS3, openBucket } from './s3.ts';
import { openSealed } from './sealed-text.ts';
import { removeCopy } from './send-copy.ts';
import { verifyPath } from './verify-path.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Make a new database file of a backup, after verifying it',
  args: { source: { summary: 'Backup, or a folder for its newest one; also s3://BUCKET/KEY' } },
  options: {
    passphraseFile: { value: 'PATH', summary: 'The passphrase of its secret' },
  },
  examples: [
    'spanledger restore /backups/ --db restored.db',
    'spanledger restore copy.db --db ledger.db --passphrase-file passphrase',
    'spanledger restore s3://backups/ledger/ --db ledger.db',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const [{ copyWhole, place }, { databasePath }, { fileError }, { renumberFile }] = await Promise.all([
      import('../../src/backup.ts'),
      import('../../src/db/open.ts'),
      import('../../src/db/file/file-error.ts'),
      import('../../src/db/file/file-number.ts'),
    ]);
    const to = databasePath(ctx.config().values.DATABASE_URL);
    const lock = await lockNew(to);
    const part = `${to}.part`;
    const downloaded = `${to}.download`;
    let secret: string | null;
    let from = args.source;
    try {
      removeAll(part);
      removeCopy(downloaded);
      if (isS3(args.source)) {
        output.detail(`Downloading ${args.source}`);
        await fetchBackup(openBucket(args.source, ctx.env), downloaded);
        from = downloaded;
      } else from = chooseBackup(args.source);
      const hasLog = existsSync(`${from}-wal`);
      await requireLedger(from);
      secret = secretFor(from, to, options.passphraseFile);
      copyWhole(from, part, hasLog);
      renumberFile(part);
      const migrated = await bringUpToDate(ctx, part);
      const verified = await verifyPath(ctx, part);
      refuseProblems(from, verified);
      place(part, to);
      if (secret !== null) writeFileSync(`${to}.secret`, `${secret}\n`, { mode: 0o600 });
      const result = {
        file: to,
        from: isS3(args.source) ? args.source : from,
        migrated,
        secret: secret !== null,
        ...verified,
      };
      output.result(result, () => output.success(`${to} is in order: ${describeVerified(verified)}`));
    } catch (error) {
      throw fileError(from, error);
    } finally {
      removeAll(part);
      removeCopy(downloaded);
      lock.release();
    }
    if (secret === null && ctx.config().values.BETTER_AUTH_SECRET === undefined)
      output.info(
        `The backup has no secret. Copy the old file's .secret to ${to}.secret before the first start, or people sign in again and set up their authenticator apps anew.`,
      );
    output.info(`Start it with: spanledger serve --db ${shellWord(to)}`);
  },
});

/** Another restore, or a server that is started meanwhile, must not make the same file. */
async function lockNew(to: string): Promise<{ release(): void }> {
  const [{ inUse }, { takeWriteLock }, { conflict }] = await Promise.all([
    import('../../src/db/file/hold-file.ts'),
    import('../../src/db/lock.ts'),
    import('../../src/errors.ts'),
  ]);
  const refuseExisting = (): void => {
    for (const file of [to, `${to}-wal`])
      if (existsSync(file)) throw conflict(`${file} already exists; name a new file with --db`);
  };
  refuseExisting();
  const lock = takeWriteLock(to);
  if (lock === null) throw inUse(to);
  const release = (): void => {
    // A file without a database is of no use to anybody who comes later.
    if (!existsSync(to)) rmSync(`${to}.lock`, { force: true });
    lock.release();
  };
  try {
    refuseExisting();
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

const removeAll = (part: string): void => {
  for (const end of ['', '-wal', '-shm', '.lock']) rmSync(`${part}${end}`, { force: true });
};

/** The secret of a backup; null if it has none. @throws {UserError} usage (2) without its passphrase */
function secretFor(from: string, to: string, passphraseFile: string | undefined): string | null {
  const sealed = sealedName(from);
  if (!existsSync(sealed)) {
    if (passphraseFile === undefined) return null;
    throw usageError(`There is no secret at ${sealed}`, 'Run without --passphrase-file');
  }
  if (passphraseFile === undefined)
    throw usageError(
      `${sealed} has the secret of this backup`,
      'Add --passphrase-file, or move that file away to do without the secret',
    );
  if (existsSync(`${to}.secret`))
    throw usageError(`${to}.secret already exists`, 'Name another file with --db, or move the secret away');
  const secret = openSealed(readFileSync(sealed, 'utf8'), readPassphrase(passphraseFile));
  if (secret !== null) return secret;
  throw usageError(`${sealed} cannot be opened`, 'Pass the passphrase with which the backup was made');
}
