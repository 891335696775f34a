import type { Accuracy } from '../../src/lib/detect/accuracy.ts';
import { defineCommand } from '../command.ts';
import type { Column } from '../output.ts';

const percent = (share: number | null): string | null =>
  share === null ? null : `${(share * 100).toFixed(1)} %`;

const columns: readonly Column<Accuracy>[] = [
  { header: 'check', value: ({ check }) => check },
  { header: 'type', value: ({ type }) => type },
  { header: 'examples', value: ({ examples }) => examples },
  { header: 'precision', value: ({ precision }) => percent(precision) },
  { header: 'recall', value: ({ recall }) => percent(recall) },
];

export const guardrailsMeasure = defineCommand({
  name: 'guardrails measure',
  summary: 'Measure the precision and recall of all detectors on their examples',
  examples: ['spanledger guardrails measure', 'spanledger guardrails measure --json'],
  run: async ({ output }) => {
    const { measureDetectors } = await import('../../src/lib/detect/measure.ts');
    const detectors = measureDetectors();
    output.result({ detectors }, () => output.table(columns, detectors));
  },
});
