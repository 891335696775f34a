import type { Statements } from '../../src/features/statements/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { moneyNano } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from '../report/figures.ts';
import { facts } from '../report/pieces.ts';

type Row = Statements['statements'][number];

const columnsOf = (currency: string): readonly Column<Row>[] => [
  { header: 'party', value: ({ name }) => name },
  { header: 'calls', value: ({ calls }) => calls },
  { header: 'unpriced', value: ({ unpriced }) => unpriced },
  { header: 'cost', value: ({ costNano }) => moneyNano(costNano) },
  { header: 'corrections', value: ({ correctionsNano }) => moneyNano(correctionsNano) },
  { header: currency, value: ({ total }) => ({ text: total, align: 'right' }) },
];

/** A month's statements as a table with its sums. */
export function printStatements(output: Output, doc: Statements): void {
  const { month, by, status, currency, rate, markupPercent, costNano, correctionsNano, total, unpriced } =
    doc;
  output.line(tinted(`Statements for ${month}`, 'bold'), tinted(`· by ${by} · ${status}`, 'dim'));
  output.raw('\n');
  facts(output, [
    {
      label: 'Cost',
      value: moneyNano(costNano),
      note: unpriced > 0 ? `without ${countText(unpriced, 'call')} of unknown price` : '',
    },
    { label: 'Corrections', value: moneyNano(correctionsNano), note: 'of closed months' },
    {
      label: `Total in ${currency}`,
      value: { text: total, align: 'right' },
      note: [
        ...(markupPercent === 0 ? [] : [`markup ${markupPercent} %`]),
        ...(currency === 'USD' ? [] : [`${rate} ${currency} per USD`]),
      ].join(', '),
    },
  ]);
  output.raw('\n');
  output.table(columnsOf(currency), doc.statements);
}
