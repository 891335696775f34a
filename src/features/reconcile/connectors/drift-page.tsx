import { Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { CostTabs } from '../../../dashboard/shell/cost-tabs.tsx';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, Notice } from '../../../dashboard/ui/states.tsx';
import { countText, numberText } from '../../../lib/figures.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { ApartPanel } from '../apart-panel.tsx';
import { ConnectorTable } from './connector-table.tsx';
import type { Drift, driftEndpoint } from './contract.ts';
import { DriftTable } from './drift-table.tsx';
import { SetupHelp } from './setup-help.tsx';
import { ThresholdDialog } from './threshold-dialog.tsx';
import { WarningTable } from './warning-table.tsx';

const driftApi = endpointOf<typeof driftEndpoint>('GET /v1/drift');

const RANGES = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '92', label: 'Last 92 days' },
];
const DEFAULT_DAYS = '30';

/** The day that many days before today, in UTC. */
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** What providers say that they billed, beside the ledger of the organization. */
export function DriftPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { search } = useScope('costs/drift');
  const setSearch = useSetSearch<'costs/drift'>();
  const days = RANGES.some(({ value }) => value === search.days)
    ? (search.days ?? DEFAULT_DAYS)
    : DEFAULT_DAYS;
  const [setting, setSetting] = useState(false);
  const query = { organizationId, from: dayBefore(Number(days)), connector: search.connector };
  const drift = useApi(driftApi, { query }, { enabled: organizationId !== '' });
  return (
    <Page title="Drift" detail={<span className="dim">of {organizationName}</span>} scoped={false}>
      <CostTabs />
      <p className="dim lead">
        Compares what providers say they billed with the ledger, by UTC day and model. The server fetches
        their figures each night.
      </p>
      <Loaded
        of={drift}
        loading={
          <Panel flush>
            <LoadingKpis count={4} />
          </Panel>
        }
      >
        {(data) =>
          data.connectors.length === 0 ? (
            <SetupHelp />
          ) : (
            <div className="stack">
              <Panel
                title={`${data.from} to ${data.to}`}
                actions={
                  <>
                    <NativeSelect
                      size="xs"
                      aria-label="Days"
                      value={days}
                      data={RANGES}
                      onChange={({ currentTarget }) => setSearch({ days: currentTarget.value })}
                    />
                    {may('admin') && (
                      <Button variant="default" size="xs" onClick={() => setSetting(true)}>
                        Threshold
                      </Button>
                    )}
                  </>
                }
                flush
              >
                <Kpis kpis={toKpis(data)} />
              </Panel>
              <Lines drift={data} />
              <ApartPanel apart={data.apart} />
              <WarningTable warnings={data.warnings} />
              <ConnectorTable connectors={data.connectors} chosen={search.connector} />
              {setting && <ThresholdDialog threshold={data.threshold} onClose={() => setSetting(false)} />}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

const Lines = ({ drift: { lines, counts } }: { drift: Drift }): JSX.Element => (
  <Panel
    title="By day and model"
    detail={
      lines.length < counts.lines
        ? `first ${numberText(lines.length)} of ${numberText(counts.lines)}`
        : undefined
    }
    flush
  >
    {lines.length === 0 ? (
      <Notice icon="search" title="No figures of these days">
        Nothing was billed, or nothing was fetched yet.
      </Notice>
    ) : (
      <DriftTable lines={lines} />
    )}
  </Panel>
);

function toKpis({ total, counts, threshold }: Drift): Kpi[] {
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const money = (id: string, label: string, usd: number | null, note: string): Kpi => ({
    ...{ id, label, kind: 'money', value: usd ?? 0, missing: usd === null, note: dim(note) },
  });
  return [
    money('provider', 'Providers', total.providerUsd, 'as they bill'),
    money('ledger', 'Ledger', total.ledgerUsd, 'of the same days and providers'),
    money(
      'drift',
      'Difference',
      total.driftUsd,
      total.driftPercent === null
        ? 'ledger minus provider'
        : `${total.driftPercent.toFixed(1)}% of the larger`,
    ),
    {
      id: 'over',
      label: 'Over the threshold',
      kind: 'count',
      value: counts.over,
      note: dim(
        `of ${countText(counts.lines, 'line')}; from ${threshold.percent}% and $${threshold.usd}${counts.restated === 0 ? '' : `; ${numberText(counts.restated)} restated`}`,
      ),
    },
  ];
}
