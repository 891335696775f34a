import { Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import type { PriceRow } from '../../core/pricing/contract.ts';
import css from './other-rates.module.css';
import { type Rate, ratesText } from './rate-labels.ts';

type Props = {
  readonly rates: PriceRow['rates'];
  /** Rates that have a column of their own. */
  readonly but: readonly Rate[];
};

/** How many more rates a price has; they appear on hover and focus. */
export function OtherRates({ rates, but }: Props): JSX.Element {
  const count = Object.keys(rates).filter((rate) => !but.includes(rate as Rate)).length;
  if (count === 0) return <span className="dim">–</span>;
  return (
    <Tooltip
      label={ratesText(rates, but)}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={360}
    >
      <button type="button" className={`badge ${css.more}`}>
        {count} more
      </button>
    </Tooltip>
  );
}
