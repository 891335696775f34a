import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import {
  backupsIn,
  isFolder,
  type KeptBackup,
  leftBehind,
  placeFor,
  sealedName,
} from '../../src/db/backup-files.ts';
import { bytesText } from '../../src/lib/figures.ts';
import { type KeepRule, keptTimes, parseKeepRule } from '../../src/lib/ranges/keep-rule.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { usageError } from '../user-error.ts';
import { readPassphrase } from './passphrase.ts';
import { requireLedger } from './require-ledger.ts';
import { deleteBackups, isS3, listBackups, openBucket, sendBackup } from './s3.ts';
import { sealText } from './sealed-text.ts';
import { printCopy, withCopy } from './send-copy.ts';

const keepRule = z.string().transform((text, issues): KeepRule => {
  const rule = parseKeepRule(text);
  if (rule !== null) return rule;
  issues.addIssue('must be like 24h,7d,4w');
  return z.NEVER;
});

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy the database into a new file, also while a server writes to it',
  args: { target: { summary: 'New file, folder, s3://BUCKET/FOLDER/, or - for standard output' } },
  options: {
    passphraseFile: { value: 'PATH', summary: 'Also copy the secret, encrypted with a passphrase' },
    keep: {
      value: 'RULE',
      summary: 'Delete older ones but one per hour, day, week',
      type: keepRule,
    },
    verify: { summary: 'Verify the copy, as `spanledger verify` does' },
  },
  examples: [
    'spanledger backup /backups/',
    'spanledger backup /backups/ --keep 24h,7d,4w --verify',
    'spanledger backup ledger.db --passphrase-file passphrase',
    'spanledger backup s3://backups/ledger/ --keep 24h,7d,4w',
    'spanledger backup - | zstd >ledger.db.zst',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const isStdout = args.target === '-';
    if (options.keep !== undefined && (isStdout || !namesMany(args.target)))
      throw usageError('--keep needs a folder', `End the target with a slash: ${args.target}/`);
    if (isStdout && options.passphraseFile !== undefined)
      throw usageError('Standard output takes no secret', 'Copy the .secret file yourself');
    const passphrase = options.passphraseFile === undefined ? null : readPassphrase(options.passphraseFile);
    const [{ databasePath }, { eventsElsewhere }] = await Promise.all([
      import('../../src/db/open.ts'),
      import('../../src/moved-note.ts'),
    ]);
    const { DATABASE_URL, EVENTS_URL } = ctx.config().values;
    const from = databasePath(DATABASE_URL);
    await requireLedger(from);
    const eventsIn = eventsElsewhere(from, EVENTS_URL);
    if (eventsIn !== null)
      output.warn(`The events are not in this backup but in ${eventsIn}: back that up too`);
    const secret = secretOf(ctx, from);
    if (passphrase !== null && secret === null)
      throw usageError(
        `There is no secret next to ${from}`,
        'Run without --passphrase-file; BETTER_AUTH_SECRET is kept where you set it',
      );
    const sealed = passphrase === null || secret === null ? null : sealText(secret, passphrase);
    const { target } = args;
    const { keep, verify } = options;
    if (isStdout) {
      await withCopy(from, async ({ path }) => {
        if (verify) await verifyCopy(ctx, path);
        await printCopy(ctx, path);
      });
      return undefined;
    }
    const make = isS3(target) ? backupToBucket : backupToFolder;
    const made = await make(ctx, { from, target, sealed, keep, verify, now: Date.now() });
    const verified = verify ? true : null;
    output.result({ ...made, secret: sealed !== null, verified, eventsIn }, () => {
      output.success(
        `${made.file} has ${bytesText(made.bytes)}${verified === null ? '' : ' and is in order'}`,
      );
      if (made.deleted.length > 0) output.info(`Deleted ${made.deleted.length} older backups`);
    });
    if (sealed === null && secret !== null)
      output.info(
        `The secret ${from}.secret is not in it: keep a copy of that file, or add --passphrase-file. With another secret, people sign in again and set up their authenticator apps anew.`,
      );
    return undefined;
  },
});

/** Whether a target is a folder, of files or in a bucket. */
const namesMany = (target: string): boolean =>
  isS3(target) ? target.endsWith('/') || !target.slice('s3://'.length).includes('/') : isFolder(target);

interface Wanted {
  readonly from: string;
  readonly target: string;
  /** The encrypted secret. */
  readonly sealed: string | null;
  readonly keep: KeepRule | undefined;
  readonly verify: boolean;
  readonly now: number;
}
interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly deleted: readonly string[];
}

async function backupToFolder(ctx: BaseContext, { from, target, ...wanted }: Wanted): Promise<Made> {
  const { backupFile } = await import('../../src/backup.ts');
  const file = placeFor(target, wanted.now);
  const bytes = backupFile(from, file);
  if (wanted.sealed !== null) writeFileSync(sealedName(file), wanted.sealed, { mode: 0o600 });
  if (wanted.verify) await verifyCopy(ctx, file);
  const old = wanted.keep === undefined ? [] : oldOnes(backupsIn(target), wanted.keep, wanted.now);
  for (const path of old) for (const one of [path, sealedName(path)]) rmSync(one, { force: true });
  if (namesMany(target)) for (const path of leftBehind(target, wanted.now)) rmSync(path, { force: true });
  return { file, bytes, deleted: old };
}

async function backupToBucket(ctx: BaseContext, { from, target, ...wanted }: Wanted): Promise<Made> {
  const bucket = openBucket(target, ctx.env);
  return withCopy(from, async ({ path, size }) => {
    if (wanted.verify) await verifyCopy(ctx, path);
    const file = await sendBackup(bucket, { path, secret: wanted.sealed, now: wanted.now });
    const old = wanted.keep === undefined ? [] : oldOnes(await listBackups(bucket), wanted.keep, wanted.now);
    await deleteBackups(bucket, old);
    return { file, bytes: size, deleted: old };
  });
}

/** The secret that was made for the file; null if it is a setting. */
function secretOf(ctx: BaseContext, from: string): string | null {
  const file = `${from}.secret`;
  if (ctx.config().values.BETTER_AUTH_SECRET !== undefined || !existsSync(file)) return null;
  return readFileSync(file, 'utf8').trim();
}

/** @throws {UserError} `database_damaged` (6) */
async function verifyCopy(ctx: BaseContext, path: string): Promise<true> {
  const { verifyPath } = await import('./verify-path.ts');
  const { refuseProblems } = await import('./print-verified.ts');
  refuseProblems(path, await verifyPath(ctx, path));
  return true;
}

/** The backups that the rule does not keep. The newest stays in any case. */
function oldOnes(all: readonly KeptBackup[], rule: KeepRule, now: number): string[] {
  const kept = keptTimes(
    all.map(({ time }) => time),
    rule,
    now,
  );
  return all.filter(({ time }) => !kept.has(time)).map(({ path }) => path);
}
