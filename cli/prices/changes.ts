import type { CatalogueChange, RateChange } from '../../src/core/pricing/packs/contract.ts';
import { type Cell, number } from '../format.ts';
import type { Column, Output } from '../output.ts';

/** Rows that a terminal shows; --json has all. */
const SHOWN = 60;

type Row = { readonly change: CatalogueChange; readonly rate: RateChange | null };

const tones = { added: 'good', changed: 'accent', ended: 'warn' } as const;

const usd = (amount: number | null): Cell => ({
  text: amount === null ? '–' : `$${amount}`,
  align: 'right',
  ...(amount === null ? { tone: 'dim' } : {}),
});

/** When a rate applies: its tier, start and hours. */
const conditionOf = ({ above, from, daily }: Pick<RateChange, 'above' | 'from' | 'daily'>): string =>
  [
    above === null ? '' : `over ${number(above).text} tokens`,
    from === null ? '' : `from ${from}`,
    daily === null ? '' : daily.replace('/', ' to '),
  ]
    .filter((part) => part !== '')
    .join(', ');

const columns: readonly Column<Row>[] = [
  { header: '', value: ({ change }) => ({ text: change.change, tone: tones[change.change] }), fixed: true },
  { header: 'model', value: ({ change }) => `${change.provider}/${change.model}` },
  {
    header: 'rate',
    value: ({ change, rate }) =>
      rate === null
        ? (change.note ?? '')
        : [rate.rate, conditionOf(rate)].filter((part) => part !== '').join(' '),
  },
  { header: 'before', value: ({ rate }) => (rate === null ? '' : usd(rate.before)) },
  { header: 'after', value: ({ rate }) => (rate === null ? '' : usd(rate.after)) },
];

/** What a price pack changes: a line per rate, and the sums. */
export const printChanges = (output: Output, changes: readonly CatalogueChange[]): void => {
  const rows = changes.flatMap((change): Row[] =>
    change.rates.length === 0 ? [{ change, rate: null }] : change.rates.map((rate) => ({ change, rate })),
  );
  if (rows.length > 0) output.table(columns, rows.slice(0, SHOWN));
  if (rows.length > SHOWN) output.info(`${rows.length - SHOWN} more lines; --json has all`);
  const count = (kind: CatalogueChange['change']): number =>
    changes.filter(({ change }) => change === kind).length;
  output.line(`${count('added')} added, ${count('changed')} changed, ${count('ended')} ended`);
};
