import { useQuery } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { countText, moneyText, numberText, percentText } from '../../../lib/figures.ts';
import {
  costBeforeText,
  costChangeText,
  costText,
  dimensionLabel,
  incompleteTexts,
  keyFigures,
  periodText,
  valueLabel,
} from '../../../lib/reports/labels.ts';
import type { previewReportEndpoint, ScheduledReport } from '../contract.ts';
import type { Amount, ReportFigures } from '../figures/contract.ts';
import css from './reports.module.css';
import { toInput } from './to-input.tsx';

const previewApi = endpointOf<typeof previewReportEndpoint>('POST /v1/scheduled-reports/preview');

/** What the report of the last whole period says. */
export function ReportPreview({ report }: { report: ScheduledReport }): JSX.Element {
  const { organizationId } = useMember();
  const { name: _, memberIds: __, channelIds: ___, paused: ____, ...body } = toInput(report);
  const preview = useQuery<ReportFigures, ApiError>({
    queryKey: [previewApi.path, organizationId, body],
    queryFn: ({ signal }) => send(previewApi, { query: { organizationId }, body, signal }),
  });
  return preview.data === undefined ? (
    <Panel title="Preview" flush>
      <Loaded of={preview} loading={<LoadingRows rows={6} />}>
        {() => null}
      </Loaded>
    </Panel>
  ) : (
    <Figures figures={preview.data} />
  );
}

function Figures({ figures }: { figures: ReportFigures }): JSX.Element {
  const { timeZone, previous, path, subject } = figures;
  const before = periodText({ ...previous, timeZone });
  return (
    <>
      <Panel
        title={`Preview: costs of ${subject}, ${periodText(figures)}`}
        detail={`${timeZone}, compared with ${before}`}
        actions={path !== null && <a href={path}>Open these costs</a>}
        flush
      >
        <DataTable
          label="Figures"
          columns={FIGURES}
          rows={keyFigures(figures)}
          rowKey={({ label }) => label}
        />
      </Panel>
      {figures.sections
        .filter(({ groups }) => groups.length > 0)
        .map(({ by, groups, others }) => (
          <Panel
            key={by}
            title={`By ${dimensionLabel(by).toLowerCase()}`}
            detail={
              others === null
                ? undefined
                : `and ${others.groups} more: ${costText(others.cost, others.unpriced)}`
            }
            flush
          >
            <DataTable
              label={`By ${dimensionLabel(by).toLowerCase()}`}
              columns={groupColumns(by)}
              rows={groups}
              rowKey={({ value }) => String(value)}
            />
          </Panel>
        ))}
      <Lists figures={figures} />
    </>
  );
}

type Row = ReturnType<typeof keyFigures>[number];
const FIGURES: readonly Column<Row>[] = [
  { id: 'label', header: '', wide: true, cell: ({ label }) => label },
  { id: 'current', header: 'Period', align: 'right', cell: ({ current }) => current },
  { id: 'before', header: 'Before', align: 'right', cell: (row) => row.previous },
  { id: 'change', header: 'Change', align: 'right', cell: ({ change }) => change },
];

const linked = (path: string | null, text: ReactNode): ReactNode =>
  path === null ? text : <a href={path}>{text}</a>;

type Costs = { readonly cost: Amount; readonly unpriced: number; readonly unpricedBefore: number };
const costColumns = <T extends Costs>(): Column<T>[] => [
  { id: 'cost', header: 'Cost', align: 'right', cell: ({ cost, unpriced }) => costText(cost, unpriced) },
  { id: 'before', header: 'Before', align: 'right', cell: costBeforeText },
  { id: 'change', header: 'Change', align: 'right', cell: costChangeText },
];

type Group = ReportFigures['sections'][number]['groups'][number];
const groupColumns = (by: string): Column<Group>[] => [
  {
    id: 'value',
    header: dimensionLabel(by),
    wide: true,
    cell: ({ value, path }) => linked(path, valueLabel(by, value)),
  },
  ...costColumns<Group>(),
  { id: 'calls', header: 'Calls', align: 'right', cell: ({ calls }) => numberText(calls) },
];

type Change = ReportFigures['changes'][number];
const CHANGES: readonly Column<Change>[] = [
  {
    id: 'value',
    header: 'Group',
    wide: true,
    cell: ({ by, value, path }) => linked(path, `${dimensionLabel(by)}: ${valueLabel(by, value)}`),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    cell: ({ cost, unpriced }) => (cost.current === null && unpriced === 0 ? '–' : costText(cost, unpriced)),
  },
  ...costColumns<Change>().slice(1),
];

/** The changes, and what needs somebody's attention. */
function Lists({ figures }: { figures: ReportFigures }): JSX.Element {
  const { changes, unpricedModels, budgets } = figures;
  const incomplete = incompleteTexts(figures);
  return (
    <>
      {changes.length > 0 && (
        <Panel title="Biggest changes" flush>
          <DataTable
            label="Biggest changes"
            columns={CHANGES}
            rows={changes}
            rowKey={({ by, value }) => `${by} ${value}`}
          />
        </Panel>
      )}
      {unpricedModels.length + budgets.length + incomplete.length > 0 && (
        <Panel title="Needs attention">
          <ul className={css.list}>
            {unpricedModels.map(({ model, provider, calls, path }) => (
              <li key={`${provider} ${model}`}>
                {linked(path, model ?? 'Calls without a model')}: {countText(calls, 'call')} without a price,
                in no cost
              </li>
            ))}
            {budgets.map(({ id, name, fraction, limitUsd }) => (
              <li key={id}>
                Budget {name}: {percentText(fraction)} of {moneyText(limitUsd)} spent
              </li>
            ))}
            {incomplete.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
