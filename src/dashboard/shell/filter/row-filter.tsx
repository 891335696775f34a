import { Button } from '@mantine/core';
import { type JSX, lazy, type ReactNode } from 'react';
import { numberText } from '../../../lib/figures.ts';
import { parseRowFilter, type RowFields } from '../../../lib/filter/rows.ts';
import { Notice } from '../../ui/states.tsx';
import type { Fields, Known } from './completions.ts';
import css from './filter-bar.module.css';
import { FilterLine } from './filter-line.tsx';
import { type Filter, syntaxError } from './use-filter.ts';

const RowFilterBox = lazy(async () => ({ default: (await import('./row-filter-box.tsx')).RowFilterBox }));

type BarProps<T> = {
  readonly filter: Filter;
  readonly fields: RowFields<T>;
  /** All rows, whose values are offered. */
  readonly rows: readonly T[];
  /** Values to offer instead of those of the rows; of `tag.NAME` too, which are then offered as fields. */
  readonly known?: Known;
  /** What people call a value, such as an API key by its id. */
  readonly nameOf?: (value: string) => string;
  readonly placeholder: string;
  /** To the left of the box. */
  readonly children?: ReactNode;
};

const asItIs = (value: string): string => value;

/** The filter of a list whose rows are all there, in the language of the filter of calls. */
export function RowFilterBar<T>(props: BarProps<T>): JSX.Element {
  const { filter, fields, rows, known, nameOf = asItIs, placeholder, children } = props;
  return (
    <FilterLine
      filter={filter}
      errorOf={(text) => syntaxError(text, (given) => parseRowFilter(given, fields))}
      placeholder={placeholder}
      box={(box) => (
        <RowFilterBox
          {...box}
          fields={offered(fields)}
          known={{ ...valuesOf(fields, rows), ...known }}
          nameOf={nameOf}
        />
      )}
    >
      {children}
    </FilterLine>
  );
}

/** The fields as the box offers them: those with names of their own are offered by these. */
const offered = <T,>(fields: RowFields<T>): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.type === 'named'
        ? []
        : [[name, field.type === 'choice' ? { ...field, values: field.choices } : field] as const],
    ),
  );

const valuesOf = <T,>(fields: RowFields<T>, rows: readonly T[]): Known =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.type === 'text'
        ? [[name, [...new Set(rows.flatMap(field.of))].filter((value) => value !== '').sort()]]
        : [],
    ),
  );

/** The rows that a filter leaves; none if it cannot be read, with what is wrong with it. */
export function filterRows<T>(
  { parts }: Filter,
  rows: readonly T[],
  fields: RowFields<T>,
): { readonly rows: readonly T[]; readonly error: string | null } {
  const text = parts.join(' ');
  const error = syntaxError(text, (given) => parseRowFilter(given, fields));
  return { rows: error === null ? rows.filter(parseRowFilter(text, fields)) : [], error };
}

type NoneProps = {
  readonly filter: Filter;
  readonly error: string | null;
  /** Without each of its parts: `Without`. */
  readonly children: ReactNode;
  /** What the list has none of, such as `budgets`. */
  readonly what: string;
};

/** For a list of which a filter leaves nothing: which part of it is why. */
export const NoRows = ({ filter, error, what, children }: NoneProps): JSX.Element => (
  <Notice
    icon="search"
    title={error === null ? `No matching ${what}` : 'The filter cannot be read'}
    action={
      <Button variant="default" onClick={filter.clear}>
        Clear filter
      </Button>
    }
  >
    {error ?? children}
  </Notice>
);

/** How many rows there are without a part of a filter. */
export const Without = ({ part, count }: { part: string; count: number }): JSX.Element => (
  <span className={css.without}>
    {count === 0 ? 'There are none' : `There are ${numberText(count)}`} without <code>{part}</code>
  </span>
);
