import { resolve } from 'node:path';
import { countText } from '../../src/lib/figures.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { defineCommand } from '../command.ts';
import { EXIT, usageError } from '../user-error.ts';
import { reportTo } from './report-progress.ts';
import { untilStopped } from './until-stopped.ts';

export const upgrade = defineCommand({
  name: 'upgrade',
  summary: 'Make a file of this version from one of version 0.1, or try an upgrade',
  args: {
    old: { summary: 'The file of version 0.1, which stays as it is; --db with --check', optional: true },
    new: { summary: 'The new file; it must not exist', optional: true },
  },
  options: { check: { summary: 'Upgrade and verify a copy beside the file, and delete it' } },
  examples: [
    'spanledger upgrade --check',
    'spanledger upgrade --check --db /var/lib/spanledger/ledger.db --json',
    'spanledger upgrade ./spanledger.db ./spanledger-0.2.db',
  ],
  drains: true,
  run: async (ctx) => {
    const { args, options, output } = ctx;
    if (options.check) {
      if (args.new !== undefined) throw usageError('--check makes no new file', 'Name one file, or none');
      const { checkUpgrade } = await import('./check-upgrade.ts');
      return checkUpgrade(ctx, args.old);
    }
    if (args.old === undefined || args.new === undefined)
      throw usageError(
        'Name the old file and the new one',
        'Files since 0.2 need no new file: `spanledger upgrade --check`, then start the server',
      );
    const { upgradeFile } = await import('../../src/upgrade.ts');
    const [from, to] = [resolve(args.old), resolve(args.new)];
    const result = await untilStopped(ctx, () =>
      upgradeFile({ from, to, signal: ctx.signal, onProgress: reportTo(ctx) }),
    );
    if (result === null) return EXIT.interrupted;
    output.result({ ...result, file: to }, () =>
      output.line(
        `Upgraded ${countText(result.events, 'event')}; both files have the same sums per day and model.`,
      ),
    );
    output.info(`Start it with: spanledger serve --db ${shellWord(args.new)}`);
    return undefined;
  },
});
