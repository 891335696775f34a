import { Link, Navigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../../dashboard/ui/format.ts';
import { LoadingKpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded } from '../../../dashboard/ui/states.tsx';
import type { System, systemEndpoint } from '../contract.ts';
import { ChecksPanel } from './checks-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { LoadPanel } from './load-panel.tsx';
import { StorePanel } from './store-panel.tsx';

const systemApi = endpointOf<typeof systemEndpoint>('GET /v1/system');

/** Between two reads of the figures. */
const EVERY_MS = 5_000;

/** The server as a whole, for operators: what it does now, what is wrong, its file and its jobs. */
export function SystemPage(): JSX.Element {
  const system = useApi(systemApi, {}, { every: EVERY_MS });
  if (system.error?.status === 401) return <Navigate to="/sign-in" search={{ next: '/system' }} replace />;
  return (
    <main id="main">
      <Page
        title="System"
        detail={system.data && <Versions system={system.data} />}
        actions={<Link to="/">Back to the dashboard</Link>}
        scoped={false}
      >
        <Loaded
          of={system}
          loading={
            <Panel flush>
              <LoadingKpis count={6} />
            </Panel>
          }
        >
          {(data) => (
            <div className="stack">
              <LoadPanel system={data} />
              <ChecksPanel />
              <StorePanel system={data} />
              <JobsPanel jobs={data.jobs} now={data.now} />
            </div>
          )}
        </Loaded>
      </Page>
    </main>
  );
}

function Versions({ system: { versions, startedAt } }: { system: System }): JSX.Element {
  const zone = useZone();
  const { version, commit, bun, sqlite } = versions;
  const parts = [
    `spanledger ${version}${commit === null ? '' : ` (${commit.slice(0, 8)})`}`,
    `Bun ${bun}`,
    ...(sqlite === null ? [] : [`SQLite ${sqlite}`]),
    `since ${timeText.minute(startedAt, zone)}`,
  ];
  return <span className="dim">{parts.join(' · ')}</span>;
}
