import type { JSX } from 'react';
import { termOf } from '../../../lib/filter-terms.ts';
import css from './narrow.module.css';
import { useFilter } from './use-filter.ts';

/** A field of the filter language and a value. */
export type FieldValue = readonly [field: string, value: string];

/** Buttons that narrow the page to a value, or exclude it. */
export function Narrow({ to: [field, value], search }: NarrowProps): JSX.Element {
  const filter = useFilter({ search });
  const button = (not: boolean): JSX.Element => {
    const label = not ? `Exclude ${field} ${value}` : `Only ${field} ${value}`;
    return (
      <button
        type="button"
        className={css.narrow}
        aria-label={label}
        title={label}
        onClick={(event) => {
          event.stopPropagation();
          filter.add(termOf(field, value, not));
        }}
      >
        {not ? '−' : '+'}
      </button>
    );
  };
  return (
    <span className={css.pair}>
      {button(false)}
      {button(true)}
    </span>
  );
}
type NarrowProps = { readonly to: FieldValue } & Parameters<typeof useFilter>[0];
