import type { OnlineRule } from '../../src/core/online-rules/contract.ts';
import type { Column } from '../output.ts';

export const ruleColumns: readonly Column<OnlineRule>[] = [
  { header: 'rule', value: ({ name }) => name },
  { header: 'evaluator', value: ({ evaluator }) => evaluator ?? '(deleted)' },
  { header: 'state', value: ({ state }) => state },
  { header: 'sample', value: ({ sampleRate }) => `${Math.round(sampleRate * 1e4) / 100} %` },
  { header: 'waiting', value: ({ waiting }) => String(waiting) },
  { header: 'scored', value: ({ month }) => String(month.scored) },
  { header: 'failed', value: ({ month }) => String(month.failed) },
  { header: 'cost', value: ({ month }) => `$${month.costUsd.toFixed(4)}` },
  { header: 'why', value: ({ stateReason }) => stateReason ?? '' },
];
