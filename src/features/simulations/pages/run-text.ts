import { percentText } from '../../../lib/figures.ts';
import type { SimulationRun } from '../runs/contract.ts';

const STATUS = {
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  cancelled: 'Cancelled',
} as const;
export const statusText = (status: SimulationRun['status']): string => STATUS[status];

type Share = { readonly mean: number; readonly low: number; readonly high: number };
/** A share with its interval. */
export const shareText = (share: Share | null | undefined): string =>
  share == null
    ? '–'
    : `${percentText(share.mean)} (${percentText(share.low)} to ${percentText(share.high)})`;

export const passRateOf = ({ metrics }: Pick<SimulationRun, 'metrics'>): Share | undefined =>
  metrics.find(({ name }) => name === 'passRate');
