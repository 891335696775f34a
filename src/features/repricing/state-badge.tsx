import type { JSX } from 'react';
import { percentText } from '../../lib/figures.ts';
import type { RepricingRow, RepricingState } from './contract.ts';

const STATES: Readonly<Record<RepricingState, { label: string; tone: string; busy?: true }>> = {
  looking: { label: 'dry run in progress', tone: 'accent', busy: true },
  ready: { label: 'dry run', tone: '' },
  applying: { label: 'applying', tone: 'accent', busy: true },
  applied: { label: 'applied', tone: 'good' },
  undoing: { label: 'undoing', tone: 'accent', busy: true },
  undone: { label: 'undone', tone: '' },
  stopped: { label: 'stopped', tone: 'bad' },
  failed: { label: 'failed', tone: 'bad' },
};

/** Whether it is running. */
export const isBusy = ({ state }: RepricingRow): boolean => STATES[state].busy === true;

/** State of a re-pricing, with its progress while it runs. */
export function StateBadge({ of: { state, progress, changes } }: { of: RepricingRow }): JSX.Element {
  const { label, tone } = STATES[state];
  const isMoving = state === 'applying' || state === 'undoing';
  return (
    <span className={`badge ${tone}`}>
      {state === 'ready' && changes === 0 ? 'nothing to change' : label}
      {isMoving && ` ${percentText(progress)}`}
    </span>
  );
}
