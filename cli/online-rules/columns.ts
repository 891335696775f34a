import type { OnlineRule } from '../../src/core/online-rules/contract.ts';
import { moneyText } from '../../src/lib/figures.ts';
import type { Column } from '../output.ts';

export const ruleColumns: readonly Column<OnlineRule>[] = [
  { header: 'rule', value: ({ name }) => name },
  { header: 'evaluator', value: ({ evaluator }) => evaluator ?? '(deleted)' },
  { header: 'state', value: ({ state }) => state },
  { header: 'sample', value: ({ sampleRate }) => `${Math.round(sampleRate * 1e4) / 100} %` },
  { header: 'waiting', value: ({ waiting }) => String(waiting) },
  { header: 'scored', value: ({ month }) => String(month.scored) },
  { header: 'failed', value: ({ month }) => String(month.failed) },
  { header: 'cost', value: ({ month }) => costText(month) },
  { header: 'why', value: ({ stateReason }) => stateReason ?? '' },
];

/** Of this month; with judgements without a known price it is a minimum. */
const costText = ({ costUsd, unpriced }: OnlineRule['month']): string => {
  if (unpriced === 0) return moneyText(costUsd);
  return costUsd === 0 ? 'no price' : `≥ ${moneyText(costUsd)}`;
};
