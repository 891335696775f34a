import type { JSX } from 'react';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { percentText } from '../../../lib/figures.ts';
import type { ScoreAgreement } from '../../scores/contract.ts';
import type { QueueDetail } from '../contract.ts';

const METHODS = { kappa: "Cohen's kappa", alpha: "Krippendorff's alpha" } as const;

/** How far the annotators of a queue agree, and how much each has done. */
export function AgreementPanel({
  queue: { agreement, people },
}: {
  readonly queue: QueueDetail;
}): JSX.Element | null {
  if (people.length === 0) return null;
  return (
    <>
      {agreement.length > 0 && (
        <Panel title="Agreement" detail="1 is full agreement, 0 that of chance" flush>
          <DataTable label="Agreement" columns={AGREEMENT} rows={agreement} rowKey={({ name }) => name} />
        </Panel>
      )}
      <Panel title="Annotators" flush>
        <DataTable label="Annotators" columns={PEOPLE} rows={people} rowKey={({ userId }) => userId} />
      </Panel>
    </>
  );
}

const AGREEMENT = withCells<ScoreAgreement>([
  { id: 'name', header: 'Score', wide: true, value: ({ name }) => name },
  { id: 'method', header: 'Measure', value: ({ method }) => METHODS[method] },
  {
    id: 'value',
    header: 'Value',
    align: 'right',
    value: ({ value }) => value ?? -2,
    cell: ({ value }) =>
      value === null ? (
        <span className="dim" title="All values are the same, so chance explains them">
          –
        </span>
      ) : (
        value.toFixed(2)
      ),
  },
  {
    id: 'same',
    header: 'Same values',
    align: 'right',
    value: ({ same, items }) => same / items,
    cell: ({ same, items }) => `${same} of ${items} (${percentText(same / items)})`,
  },
  { id: 'people', header: 'People', align: 'right', value: ({ people }) => people },
]);

const PEOPLE = withCells<QueueDetail['people'][number]>([
  { id: 'name', header: 'Person', wide: true, value: ({ name }) => name ?? 'Somebody who left' },
  { id: 'done', header: 'Annotated', align: 'right', value: ({ done }) => done },
  { id: 'skipped', header: 'Skipped', align: 'right', value: ({ skipped }) => skipped },
]);
