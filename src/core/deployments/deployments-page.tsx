import { Alert, Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Snippet } from '../../dashboard/ui/snippet.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';
import type { DeploymentsPage as Listing, listDeploymentsEndpoint } from './contract.ts';
import { DeploymentForm } from './deployment-form.tsx';
import { DeploymentTable } from './deployment-table.tsx';

const listDeploymentsApi = endpointOf<typeof listDeploymentsEndpoint>('GET /v1/deployments');

/** Lengths of the compared windows, by hours. */
const LENGTHS = { 1: '1 hour', 6: '6 hours', 24: '24 hours', 168: '7 days' } as const;
const DEFAULT_HOURS = '24';
const hoursOf = (text: string | undefined): string =>
  text !== undefined && Object.hasOwn(LENGTHS, text) ? text : DEFAULT_HOURS;

/** The deployments of a project, with the figures before and after each. */
export function DeploymentsPage(): JSX.Element {
  const scope = useScope('deployments');
  const { may } = useMember();
  const setSearch = useSetSearch<'deployments'>();
  const [isNew, setIsNew] = useState(false);
  const hours = hoursOf(scope.search.hours);
  const query = { ...scope.params, effectHours: Number(hours), limit: 25 };
  const pages = usePages(listDeploymentsApi, { query }, { every: scope.every });
  const report = may('member') && <Button onClick={() => setIsNew(true)}>Report a deployment</Button>;
  const isEmpty = pages.data?.pages[0]?.deployments.length === 0;
  return (
    <Page title="Deployments" actions={isEmpty ? undefined : report}>
      {!isEmpty && (
        <div className="inline-form">
          <NativeSelect
            aria-label="Compare"
            size="xs"
            data={Object.entries(LENGTHS).map(([value, label]) => ({
              value,
              label: `${label} before and after`,
            }))}
            value={hours}
            onChange={({ currentTarget: { value } }) =>
              setSearch({ hours: value === DEFAULT_HOURS ? undefined : value })
            }
          />
        </div>
      )}
      <Skipped pages={pages.data?.pages} />
      <Paged
        pages={pages}
        rowsOf={({ deployments }) => deployments}
        more="Older deployments"
        empty={
          <Notice icon="deployments" title="No deployments in this time" action={report}>
            Send the release of your application with your events (field release), or report deployments from
            CI. Charts then show them, and this page what each changed.
          </Notice>
        }
      >
        {(deployments) => <DeploymentTable deployments={deployments} />}
      </Paged>
      {isEmpty && <FromCi projectId={scope.projectId} />}
      {!isEmpty && pages.data !== undefined && (
        <p className="dim lead">
          Both windows have the same length and cover all calls of the environment, whichever release made
          them. A young deployment is compared over the time since then. “–” stands for fewer than 30 calls on
          a side.
        </p>
      )}
      {isNew && <DeploymentForm onClose={() => setIsNew(false)} />}
    </Page>
  );
}

const FromCi = ({ projectId }: { projectId: string }): JSX.Element => (
  <Panel title="From CI" detail="with an access token that has the scope deployments:write">
    <Snippet text={curlOf(projectId)} label="A request that reports a deployment" />
  </Panel>
);

const curlOf = (
  projectId: string,
): string => `curl -sf "${location.origin}/v1/deployments?projectId=${projectId}" \\
  -H "Authorization: Bearer $SPANLEDGER_TOKEN" \\
  --json '{"release":"2.4.1","environment":"production"}'`;

/** Says that a client sends more new releases than are kept. */
function Skipped({ pages }: { pages: readonly Listing[] | undefined }): JSX.Element | null {
  const skipped = pages?.[0]?.skipped;
  if (skipped == null) return null;
  return (
    <Alert color="yellow" title="Some releases are not listed">
      Events bring more new releases than a project keeps, such as {skipped.release} in {skipped.environment}.
      Send a version that changes with a deployment, not with each call.
    </Alert>
  );
}
