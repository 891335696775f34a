import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { PriceRow } from '../../../core/pricing/contract.ts';
import { RATE_GROUPS, type Rate } from '../rate-labels.ts';
import css from './price-form.module.css';

/** What an amount in USD looks like. */
export const AMOUNT = '[0-9]*[.]?[0-9]+';

type Props = {
  readonly rates: PriceRow['rates'];
  readonly missing: Rate | undefined;
  /** The field that has the focus. */
  readonly focus: string | null;
};

/** A field for every rate. Groups without a rate are folded. */
export function RateFields({ rates, missing, focus }: Props): JSX.Element {
  return (
    <>
      {RATE_GROUPS.map(({ title, rates: all }, place) => (
        <details
          key={title}
          className={css.group}
          open={place === 0 || all.some(([rate]) => rates[rate] !== undefined || rate === missing)}
        >
          <summary>{title}</summary>
          <div className={css.rates}>
            {all.map(([rate, label]) => (
              <TextInput
                key={rate}
                label={label}
                name={rate}
                defaultValue={plain(rates[rate])}
                inputMode="decimal"
                pattern={AMOUNT}
                leftSection="$"
                required={rate === missing}
                {...(rate === focus ? { 'data-autofocus': true } : {})}
              />
            ))}
          </div>
        </details>
      ))}
      <p className="dim">
        An empty rate is that of the bucket which includes it: cached input costs as input, reasoning as
        output, audio as text. Units without a rate make an estimate.
      </p>
    </>
  );
}

/** A number without an exponent, as a field takes it. */
export const plain = (usd: number | undefined): string =>
  usd === undefined ? '' : usd.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 12 });
