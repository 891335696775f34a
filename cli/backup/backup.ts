import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { bytesText } from '../../src/lib/figures.ts';
import { type KeepRule, keptTimes, parseKeepRule } from '../../src/lib/ranges/keep-rule.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import { usageError } from '../user-error.ts';
import { readPassphrase } from './passphrase.ts';
import { backupsIn, isFolder, placeFor, sealedName } from './places.ts';
import { requireLedger } from './require-ledger.ts';
import { sealText } from './sealed-text.ts';

const keepRule = z.string().transform((text, issues): KeepRule => {
  const rule = parseKeepRule(text);
  if (rule !== null) return rule;
  issues.addIssue('must be like 24h,7d,4w');
  return z.NEVER;
});

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy the database into a new file, also while a server writes to it',
  args: { target: { summary: 'A new file, or a folder, in which the name is the time' } },
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
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    if (options.keep !== undefined && !isFolder(args.target))
      throw usageError('--keep needs a folder', `End the target with a slash: ${args.target}/`);
    const passphrase = options.passphraseFile === undefined ? null : readPassphrase(options.passphraseFile);
    const [{ backupFile }, { databasePath }] = await Promise.all([
      import('../../src/backup.ts'),
      import('../../src/db/open.ts'),
    ]);
    const now = Date.now();
    const [from, to] = [databasePath(ctx.config().values.DATABASE_URL), placeFor(args.target, now)];
    await requireLedger(from);
    const secret = secretOf(ctx, from);
    if (passphrase !== null && secret === null)
      throw usageError(
        `There is no secret next to ${from}`,
        'Run without --passphrase-file; BETTER_AUTH_SECRET is kept where you set it',
      );
    const size = backupFile(from, to);
    if (passphrase !== null && secret !== null)
      writeFileSync(sealedName(to), sealText(secret, passphrase), { mode: 0o600 });
    const verified = options.verify ? await verifyCopy(ctx, to) : null;
    const deleted = options.keep === undefined ? [] : prune(args.target, options.keep, now);
    output.result({ file: to, bytes: size, secret: passphrase !== null, verified, deleted }, () => {
      output.success(`${to} has ${bytesText(size)}${verified === null ? '' : ' and is in order'}`);
      if (deleted.length > 0) output.info(`Deleted ${deleted.length} older backups`);
    });
    if (passphrase === null && secret !== null)
      output.info(
        `The secret ${from}.secret is not in it: keep a copy of that file, or add --passphrase-file. With another secret, people sign in again and set up their authenticator apps anew.`,
      );
    return undefined;
  },
});

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

/** Deletes what the rule does not keep. The newest stays in any case. */
function prune(folder: string, rule: KeepRule, now: number): string[] {
  const all = backupsIn(folder);
  const kept = keptTimes(
    all.map(({ time }) => time),
    rule,
    now,
  );
  const old = all.filter(({ time }) => !kept.has(time)).map(({ path }) => path);
  for (const path of old) for (const file of [path, sealedName(path)]) rmSync(file, { force: true });
  return old;
}
