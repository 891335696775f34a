import { NativeSelect, Skeleton } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useScope, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { ChartOrTable } from '../../../dashboard/ui/charts/time-chart.tsx';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Kpis, LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { numberText } from '../../../lib/figures.ts';
import type { CountGroup, GuardrailFigures, OutcomeCounts } from '../counts/contract.ts';
import { guardrailFiguresApi } from './guardrails-api.ts';

const GROUPS: Readonly<Record<CountGroup, string>> = {
  guardrail: 'Guardrail',
  check: 'Check',
  user: 'User',
  model: 'Model',
  environment: 'Environment',
};

/** What stands for an outcome in figures: its name and its colour. */
const OUTCOMES = [
  { name: 'block', label: 'Blocked', color: 'var(--sl-bad)' },
  { name: 'redact', label: 'Redacted', color: 'var(--sl-chart-2)' },
  { name: 'flag', label: 'Flagged', color: 'var(--sl-chart-4)' },
] as const;

const checksOf = ({ allow, flag, redact, block }: OutcomeCounts): number => allow + flag + redact + block;

/** Checks and what came of them over time, and by guardrail, check, user or model. */
export function Figures(): JSX.Element {
  const { params, every } = useScope('guardrails');
  const [groupBy, setGroupBy] = useState<CountGroup>('guardrail');
  const { projectId, start, end, environment } = params;
  const query = { projectId, start, end, environment, groupBy };
  const figures = useApi(guardrailFiguresApi, { query }, { every });
  return (
    <Panel title="Outcomes" detail={<FoundTraces />} flush>
      <Loaded of={figures} loading={<LoadingFigures />}>
        {(data) => (
          <>
            <Totals figures={data} />
            {checksOf(data.total) > 0 && (
              <>
                <OutcomeChart figures={data} />
                <div className="inline-form panel-body">
                  <NativeSelect
                    size="xs"
                    aria-label="Group by"
                    data={Object.entries(GROUPS).map(([value, label]) => ({
                      value,
                      label: `By ${label.toLowerCase()}`,
                    }))}
                    value={groupBy}
                    onChange={({ currentTarget: { value } }) => setGroupBy(value as CountGroup)}
                  />
                </div>
                <GroupTable figures={data} groupBy={groupBy} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** As tall as the figures, so that what is below them stays where it is. */
const LoadingFigures = (): JSX.Element => (
  <>
    <LoadingKpis count={4} />
    <div className="chart-area">
      <Skeleton height={262} />
    </div>
    <LoadingRows rows={4} />
  </>
);

const FoundTraces = (): JSX.Element => (
  <ProjectLink page="traces" search={{ filter: 'guardrail:block' }}>
    Blocked traces
  </ProjectLink>
);

const Totals = ({ figures: { total } }: { figures: GuardrailFigures }): JSX.Element => (
  <Kpis
    kpis={[
      { id: 'checks', label: 'Checks', kind: 'count', value: checksOf(total) },
      ...OUTCOMES.map(({ name, label }) => ({ id: name, label, kind: 'count' as const, value: total[name] })),
    ]}
  />
);

function OutcomeChart({ figures: { steps, bucket } }: { figures: GuardrailFigures }): JSX.Element {
  const zone = useZone();
  return (
    <div className="chart-area">
      <ChartOrTable
        points={steps}
        series={OUTCOMES.map((one) => ({ ...one }))}
        kind="count"
        bucket={bucket}
        shape="bars"
        height={180}
        zone={zone}
        label="Blocked, redacted and flagged texts over time"
      />
    </div>
  );
}

type GroupsProps = { readonly figures: GuardrailFigures; readonly groupBy: CountGroup };

function GroupTable({ figures: { groups }, groupBy }: GroupsProps): JSX.Element {
  if (groups.length === 0) return <Notice title="No check found anything in this time" />;
  return (
    <DataTable
      label={`Outcomes by ${GROUPS[groupBy].toLowerCase()}`}
      rows={groups}
      rowKey={({ key }) => key ?? ''}
      columns={withCells<GuardrailFigures['groups'][number]>([
        {
          id: 'key',
          header: GROUPS[groupBy],
          wide: true,
          value: ({ key }) => key ?? '',
          cell: ({ key }) => key ?? <span className="dim">not known</span>,
        },
        ...OUTCOMES.map(({ name, label }) => ({
          id: name,
          header: label,
          align: 'right' as const,
          value: (row: OutcomeCounts) => row[name],
          cell: (row: OutcomeCounts) => numberText(row[name]),
        })),
        {
          id: 'allow',
          header: 'Passed',
          align: 'right',
          value: ({ allow }) => allow,
          cell: ({ allow }) => numberText(allow),
        },
      ])}
    />
  );
}
