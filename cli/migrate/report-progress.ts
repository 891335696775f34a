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
