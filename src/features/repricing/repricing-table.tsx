import { type JSX, useState } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import { moneyColumn, signed } from '../../lib/money-column.ts';
import type { RepricingRow, RepricingStep } from './contract.ts';
import { requestText } from './request-text.ts';
import { StateBadge } from './state-badge.tsx';

type Props = { readonly repricings: readonly RepricingRow[]; readonly chosen: string | undefined };

const STEPS: Readonly<Record<RepricingStep['step'], string>> = {
  created: 'dry run',
  applied: 'applied',
  undone: 'undone',
};

/** Whether it went further than a dry run. */
const isDone = ({ steps, applied }: RepricingRow): boolean =>
  applied > 0 || steps.some(({ step }) => step !== 'created');

/** Past re-pricings: when, by whom, and the difference. Dry runs are shown on request. */
export function RepricingTable({ repricings, chosen }: Props): JSX.Element {
  const zone = useZone();
  const [all, setAll] = useState(false);
  const looks = repricings.filter((one) => !isDone(one) && one.id !== chosen).length;
  const shown = all ? repricings : repricings.filter((one) => isDone(one) || one.id === chosen);
  const difference = signed(
    moneyColumn(
      shown.map(({ before, after }) => after - before),
      4,
    ),
  );
  const columns: Column<RepricingRow>[] = [
    {
      id: 'created',
      header: 'Time',
      value: ({ createdAt }) => createdAt,
      cell: ({ id, createdAt }) => (
        <ProjectLink page="costs/repricing" search={{ id }} className="row-link">
          {timeText.minute(createdAt, zone)}
        </ProjectLink>
      ),
    },
    { id: 'state', header: 'State', cell: (row) => <StateBadge of={row} /> },
    {
      id: 'request',
      header: 'Calls',
      wide: true,
      cell: ({ request }) => <span title={requestText(request, zone)}>{requestText(request, zone)}</span>,
    },
    {
      id: 'by',
      header: 'By',
      cell: ({ steps }) => {
        const last = steps.at(-1);
        if (last === undefined) return <span className="dim">–</span>;
        const told = steps.map(({ step, at, by }) => `${STEPS[step]} ${timeText.minute(at, zone)} by ${by}`);
        return <span title={told.join('\n')}>{last.by}</span>;
      },
    },
    {
      id: 'events',
      header: 'Events',
      align: 'right',
      value: ({ changes }) => changes,
      cell: ({ changes }) => numberText(changes),
    },
    {
      id: 'difference',
      header: 'Difference',
      align: 'right',
      value: ({ before, after }) => after - before,
      cell: ({ before, after }) => difference(after - before),
    },
  ];
  return (
    <>
      {shown.length === 0 ? (
        <Notice icon="refresh" title="None applied yet" />
      ) : (
        <DataTable
          label="Past re-pricings"
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
          sort={{ id: 'created', desc: true }}
        />
      )}
      {looks > 0 && (
        <p className="panel-note">
          <button type="button" className="vopen dim" onClick={() => setAll(!all)}>
            {all
              ? 'Hide dry runs'
              : `Not applied: ${numberText(looks)} ${looks === 1 ? 'dry run' : 'dry runs'}`}
          </button>
        </p>
      )}
    </>
  );
}
