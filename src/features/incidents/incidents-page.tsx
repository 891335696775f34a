import { Button, SegmentedControl } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { SparkBars } from '../../dashboard/ui/charts/spark-bars.tsx';
import { Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, Notice } from '../../dashboard/ui/states.tsx';
import { countText } from '../../lib/figures.ts';
import type { IncidentStats, incidentStatsEndpoint, listIncidentsEndpoint } from './contract.ts';
import { IncidentForm } from './incident-form.tsx';
import { SettingsButton } from './incident-settings.tsx';
import { IncidentTable } from './incident-table.tsx';
import css from './incidents.module.css';

const listIncidentsApi = endpointOf<typeof listIncidentsEndpoint>('GET /v1/incidents');
const incidentStatsApi = endpointOf<typeof incidentStatsEndpoint>('GET /v1/incidents/stats');

const STATUSES = { all: 'All', unresolved: 'Not resolved', resolved: 'Resolved' } as const;
type Status = keyof typeof STATUSES;
const statusOf = (text: string | undefined): Status =>
  text !== undefined && Object.hasOwn(STATUSES, text) ? (text as Status) : 'all';

/** Incidents open by themselves, so the page looks again. */
const EVERY_MS = 30_000;

/** The incidents of a project, open ones first, with how fast they are taken up and resolved. */
export function IncidentsPage(): JSX.Element {
  const scope = useScope('incidents');
  const { projectId } = scope;
  const { may } = useMember();
  const setSearch = useSetSearch<'incidents'>();
  const [isNew, setIsNew] = useState(false);
  const status = statusOf(scope.search.status);
  const query = { projectId, ...(status !== 'all' && { status }), limit: 50 };
  const pages = usePages(listIncidentsApi, { query }, { every: EVERY_MS });
  const stats = useApi(incidentStatsApi, { query: { projectId } }, { every: EVERY_MS });
  const open = may('member') && <Button onClick={() => setIsNew(true)}>Open an incident</Button>;
  return (
    <Page
      title="Incidents"
      actions={
        <>
          {may('admin') && <SettingsButton />}
          {open}
        </>
      }
      scoped={false}
    >
      <div className="stack">
        <Panel title="Last 12 weeks" flush>
          <Loaded of={stats} loading={<LoadingKpis count={4} />}>
            {(data) => <Stats stats={data} />}
          </Loaded>
        </Panel>
        <div className="inline-form">
          <SegmentedControl
            size="xs"
            aria-label="Status"
            data={Object.entries(STATUSES).map(([value, label]) => ({ value, label }))}
            value={status}
            onChange={(value) => setSearch({ status: value === 'all' ? undefined : value })}
          />
        </div>
        <Paged
          pages={pages}
          rowsOf={({ incidents }) => incidents}
          more="Older incidents"
          empty={
            <Notice icon="check" title="No incidents" action={open}>
              An alert that opens incidents makes one when it fires, and people can open one by hand.
            </Notice>
          }
        >
          {(incidents) => <IncidentTable incidents={incidents} />}
        </Paged>
      </div>
      {isNew && <IncidentForm onClose={() => setIsNew(false)} />}
    </Page>
  );
}

const Stats = ({ stats: { total, open, weeks } }: { stats: IncidentStats }): JSX.Element => (
  <>
    <Kpis
      kpis={[
        { id: 'open', label: 'Not resolved now', kind: 'count', value: open },
        {
          id: 'incidents',
          label: 'Incidents',
          kind: 'count',
          value: total.incidents,
          note: <span className="dim">{total.critical} critical</span>,
        },
        {
          id: 'mtta',
          label: 'Mean time to acknowledge',
          kind: 'duration',
          value: total.mttaMs ?? 0,
          missing: total.mttaMs === null,
        },
        {
          id: 'mttr',
          label: 'Mean time to resolve',
          kind: 'duration',
          value: total.mttrMs ?? 0,
          missing: total.mttrMs === null,
        },
      ]}
    />
    <p className={`dim ${css.weeks}`}>
      By week
      <SparkBars values={weeks.map(({ incidents }) => incidents)} />
      {countText(weeks.at(-1)?.incidents ?? 0, 'incident')} this week
    </p>
  </>
);
