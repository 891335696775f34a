import type { JSX } from 'react';
import { moneyText } from '../../../lib/figures.ts';
import type { StoredEvent } from '../contract.ts';

const TITLES = {
  priced: undefined,
  estimated: 'Estimate; see Explain cost',
  client: 'Stated by the sender',
  unpriced: 'The model has no known price',
} as const;

type Props = {
  readonly event: Pick<StoredEvent, 'cost_usd' | 'cost_status'>;
  /** How the amounts of its column are written. */
  readonly write?: (usd: number) => string;
};

/** What one event cost. A call without a price says so; a span that is no call costs nothing to tell. */
export function EventCost({ event, write = moneyText }: Props): JSX.Element {
  const { cost_usd, cost_status } = event;
  if (cost_status === 'unpriced')
    return (
      <span className="badge warn" title={TITLES.unpriced}>
        unpriced
      </span>
    );
  if (cost_usd === null) return <span className="dim">–</span>;
  return (
    <span title={cost_status === null ? undefined : TITLES[cost_status]}>
      {cost_status === 'estimated' ? '≈ ' : ''}
      {write(cost_usd)}
    </span>
  );
}
