import { countText, numberText } from '../../src/lib/figures.ts';
import type { UpgradeProgress } from '../../src/upgrade.ts';
import type { BaseContext } from '../command.ts';

/** Time between two lines of progress. */
const REPORT_MS = 2_000;

/** Prints progress, of events a line each two seconds. */
export function reportTo({ output }: BaseContext): (progress: UpgradeProgress) => void {
  let reported = performance.now();
  return (progress) => {
    if (progress.step === 'events' && performance.now() - reported < REPORT_MS) return;
    reported = performance.now();
    output.info(describe(progress));
  };
}

function describe(progress: UpgradeProgress): string {
  switch (progress.step) {
    case 'tables':
      return `Copied ${progress.table}: ${countText(progress.rows, 'row')}`;
    case 'events':
      return `Converted ${numberText(progress.events)} of ${countText(progress.of, 'event')}`;
    case 'compare':
      return `Comparing the sums of project ${progress.project}`;
  }
}
