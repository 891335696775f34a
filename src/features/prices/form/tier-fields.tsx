import { Button, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { labelOf } from '../rate-labels.ts';
import css from './price-form.module.css';
import { AMOUNT, plain } from './rate-fields.tsx';
import { type PriceStart, TIER_RATES, tierField } from './read-fields.ts';

type Tiers = PriceStart['tiers'];
const MOST = 10;

/** Rates for long inputs. */
export function TierFields({
  tiers,
  onChange,
}: {
  readonly tiers: Tiers;
  readonly onChange: (tiers: Tiers) => void;
}): JSX.Element {
  return (
    <>
      {tiers.map((tier, i) => (
        <fieldset key={tier.above} className={css.tier}>
          <legend>Long inputs</legend>
          <div className={css.rates}>
            <TextInput
              label="More input tokens than"
              name={tierField(i, 'above')}
              defaultValue={tier.above}
              inputMode="numeric"
              pattern="[0-9]+"
              required
            />
            {TIER_RATES.map((rate) => (
              <TextInput
                key={rate}
                label={labelOf(rate)}
                name={tierField(i, rate)}
                defaultValue={plain(tier[rate])}
                placeholder="As above"
                inputMode="decimal"
                pattern={AMOUNT}
                leftSection="$"
              />
            ))}
            <Button
              variant="default"
              size="compact-xs"
              className={css.remove}
              onClick={() => onChange(tiers.filter((one) => one !== tier))}
            >
              Remove
            </Button>
          </div>
        </fieldset>
      ))}
      {tiers.length < MOST && (
        <Button
          variant="default"
          size="compact-xs"
          className="own-width"
          onClick={() => onChange([...tiers, { above: nextTier(tiers) }])}
        >
          Add rates for long inputs
        </Button>
      )}
    </>
  );
}

/** A size that no tier has yet. */
const nextTier = (tiers: Tiers): number =>
  tiers.reduce((most, { above }) => Math.max(most, above * 2), 200_000);
