import { resolve } from 'node:path';
import type { UpgradeProgress } from '../../src/upgrade.ts';
import { defineCommand } from '../command.ts';

/** Time between two lines of progress. */
const REPORT_MS = 2_000;

export const upgrade = defineCommand({
  name: 'upgrade',
  summary: 'Make a file of this version from one of version 0.1',
  args: {
    old: { summary: 'The file of version 0.1; it stays as it is' },
    new: { summary: 'The new file; it must not exist' },
  },
  examples: ['spanledger upgrade ./spanledger.db ./spanledger-0.2.db'],
  drains: true,
  run: async (ctx) => {
    const { args, output, signal } = ctx;
    const { upgradeFile } = await import('../../src/upgrade.ts');
    const [from, to] = [resolve(args.old), resolve(args.new)];
    let reported = performance.now();
    const onProgress = (progress: UpgradeProgress): void => {
      if (progress.step === 'events' && performance.now() - reported < REPORT_MS) return;
      reported = performance.now();
      output.info(describe(progress));
    };
    const result = await upgradeFile({ from, to, signal, onProgress });
    output.result({ ...result, file: to }, () =>
      output.line(
        `Upgraded ${result.events.toLocaleString('en-US')} events; both files have the same sums per day and model.`,
      ),
    );
    output.info(`Start it with: spanledger serve --db ${args.new}`);
  },
});

function describe(progress: UpgradeProgress): string {
  const number = (value: number): string => value.toLocaleString('en-US');
  switch (progress.step) {
    case 'tables':
      return `Copied ${progress.table}: ${number(progress.rows)} rows`;
    case 'events':
      return `Converted ${number(progress.events)} of ${number(progress.of)} events`;
    case 'compare':
      return `Comparing the sums of project ${progress.project}`;
  }
}
