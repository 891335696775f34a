import type { JSX } from 'react';
import { percentText } from '../../lib/figures.ts';
import type { RepricingRow, RepricingState } from './contract.ts';

const STATES: Readonly<Record<RepricingState, { label: string; tone: string; busy?: true }>> = {
  looking: { label: 'dry run under way', tone: 'accent', busy: true },
  ready: { label: 'dry run', tone: '' },
  applying: { label: 'being applied', tone: 'accent', busy: true },
  applied: { label: 'applied', tone: 'good' },
  undoing: { label: 'being put back', tone: 'accent', busy: true },
  undone: { label: 'put back', tone: '' },
  stopped: { label: 'stopped', tone: 'bad' },
  failed: { label: 'failed', tone: 'bad' },
};

/** Whether there is work to do: it will look different soon. */
export const isBusy = ({ state }: RepricingRow): boolean => STATES[state].busy === true;

/** How it is with a re-pricing, and how far one is that is at work. */
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
