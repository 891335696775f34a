import type { JSX } from 'react';
import { ModelLink } from '../../core/events/widgets/model-link.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { changeOf, numberText } from '../../lib/figures.ts';
import { moneyColumn, signed } from '../../lib/money-column.ts';
import type { WhatIf } from './contract.ts';

type Row = WhatIf['models'][number];

const unknown = <span className="dim">–</span>;

/** Each model's actual and estimated cost. */
export function WhatIfTable({ answer }: { answer: WhatIf }): JSX.Element {
  const write = moneyColumn(
    answer.models.flatMap(({ actual, expected }) => [actual ?? 0, expected ?? 0]),
    4,
  );
  const difference = signed(write);
  // A single model for all calls is not repeated in each row.
  const isMixed = new Set(answer.models.map(({ as }) => as)).size > 1;
  const columns: Column<Row>[] = [
    {
      id: 'model',
      header: 'Model',
      wide: true,
      value: ({ model }) => model,
      cell: ({ model, provider, as }) => (
        <>
          <ModelLink model={model} />
          {isMixed && as !== `${provider}/${model}` && as !== model && <span className="dim"> as {as}</span>}
        </>
      ),
    },
    {
      id: 'calls',
      header: 'Calls',
      align: 'right',
      value: ({ calls }) => calls,
      cell: ({ calls }) => numberText(calls),
    },
    {
      id: 'actual',
      header: 'Actual',
      align: 'right',
      value: ({ actual }) => actual ?? -1,
      cell: ({ actual }) => (actual === null ? <span className="badge warn">unpriced</span> : write(actual)),
    },
    {
      id: 'expected',
      header: 'Estimate',
      align: 'right',
      value: ({ expected }) => expected ?? -1,
      cell: ({ expected }) => (expected === null ? unknown : write(expected)),
    },
    {
      id: 'difference',
      header: 'Difference',
      align: 'right',
      value: (row) => row.difference ?? 0,
      cell: (row) =>
        row.difference === null ? (
          unknown
        ) : (
          <span className={row.difference > 0 ? 'bad' : row.difference < 0 ? 'good' : 'dim'}>
            {difference(row.difference)}
          </span>
        ),
    },
    {
      id: 'change',
      header: 'Change',
      align: 'right',
      value: ({ actual, difference: more }) => (actual === null || more === null ? 0 : more / (actual || 1)),
      cell: ({ actual, expected, difference: more }) =>
        more === null ? unknown : (changeOf(expected ?? 0, actual)?.text ?? unknown),
    },
  ];
  return (
    <DataTable
      label="Estimate by model"
      columns={columns}
      rows={answer.models}
      rowKey={({ provider, model }) => `${provider} ${model}`}
      sort={{ id: 'actual', desc: true }}
    />
  );
}
