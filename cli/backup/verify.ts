import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../user-error.ts';
import { chooseBackup } from './places.ts';
import { describeVerified } from './print-verified.ts';
import { verifyPath } from './verify-path.ts';

export const verify = defineCommand({
  name: 'verify',
  summary: 'Check structure, checksums, sums and audit logs of a file',
  args: {
    file: { summary: 'The file, or a folder for its newest backup; --db unless given', optional: true },
  },
  examples: ['spanledger verify', 'spanledger verify /backups/', 'spanledger verify copy.db --json'],
  run: async (ctx) => {
    const { args, output } = ctx;
    const [{ databasePath }, { DatabaseFileError }] = await Promise.all([
      import('../../src/db/open.ts'),
      import('../../src/db/file/file-error.ts'),
    ]);
    const path =
      args.file === undefined
        ? databasePath(ctx.config().values.DATABASE_URL)
        : resolve(chooseBackup(args.file));
    if (!existsSync(path)) throw new DatabaseFileError(`There is no database at ${path}`);
    const verified = await verifyPath(ctx, path);
    const ok = verified.problems.length === 0;
    output.result({ file: path, ok, ...verified }, () => {
      for (const problem of verified.problems) output.line({ text: problem, tone: 'bad' });
      if (ok) output.success(`${path} is in order: ${describeVerified(verified)}`);
      else output.info('Restore a backup with `spanledger restore`, or read what the README says on damage');
    });
    if (verified.unsettled > 0)
      output.info(
        `${countText(verified.unsettled, 'day')} changed while being read, so not all was compared; verify a backup to compare all`,
      );
    return ok ? EXIT.ok : EXIT.database;
  },
});
