import type { ExperimentDetail, ExperimentRun } from '../../src/features/experiments/contract.ts';
import { junitReport } from '../ci/junit.ts';
import type { Judged } from './fail-if.ts';

/** A report in the format of JUnit: a test for each threshold and for each failed item. */
export const toJunit = (
  { name, runs }: Pick<ExperimentDetail, 'name' | 'runs'>,
  thresholds: readonly Judged[],
  failed: readonly ExperimentRun[],
): string =>
  junitReport(name, [
    ...thresholds.map(({ text, hasFailed, found }) => ({
      group: 'thresholds',
      name: text,
      failure: hasFailed ? found : null,
    })),
    ...failed.map(({ itemId, repetition, error }) => ({
      group: 'items',
      name: `${itemId} (${repetition})`,
      failure: error ?? 'failed',
    })),
    { group: 'items', name: `${runs.done} items ran`, failure: null },
  ]);
