import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import type { listKeysEndpoint } from '../keys/contract.ts';
import { BudgetForm } from './budget-form.tsx';
import { BudgetTable } from './budget-table.tsx';
import type { Budget, listBudgetEventsEndpoint, listBudgetsEndpoint } from './contract.ts';
import { Crossings } from './crossings.tsx';

const listBudgetsApi = endpointOf<typeof listBudgetsEndpoint>('GET /v1/budgets');
const listBudgetEventsApi = endpointOf<typeof listBudgetEventsEndpoint>('GET /v1/budgets/events');
const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

/** Spending changes without the reader's doing, so the page reads it again. */
const EVERY_MS = 60_000;

/** Budgets with what is spent and when they run out. */
export function BudgetsPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { projectId, zone } = useScope();
  const options = { enabled: organizationId !== '', every: EVERY_MS };
  const budgets = useApi(listBudgetsApi, { query: { organizationId } }, options);
  const crossed = useApi(listBudgetEventsApi, { query: { organizationId } }, options);
  const keys = useApi(listKeysApi, { params: { id: projectId } });
  const [editing, setEditing] = useState<Budget | 'new' | null>(null);
  const add = may('admin') ? <Button onClick={() => setEditing('new')}>New budget</Button> : undefined;
  const isEmpty = budgets.data?.budgets.length === 0;
  return (
    <Page
      title="Budgets"
      detail={<span className="dim">of {organizationName}</span>}
      actions={isEmpty ? undefined : add}
      scoped={false}
    >
      <Panel flush>
        <Loaded of={budgets} loading={<LoadingRows rows={4} height={49} />}>
          {(data) =>
            data.budgets.length === 0 ? (
              <Notice icon="budgets" title="No budgets yet" action={add}>
                A budget limits what the organization, a project, an API key, an end user, a tag value, an
                agent or a tool spends in a day, week or month. It warns when spending crosses a threshold.
              </Notice>
            ) : (
              <BudgetTable
                budgets={data.budgets}
                keys={keys.data?.keys ?? []}
                onEdit={may('admin') ? setEditing : null}
              />
            )
          }
        </Loaded>
      </Panel>
      {!isEmpty && (
        <Panel title="Threshold history" detail="newest first" flush>
          <Loaded of={crossed} loading={<LoadingRows rows={2} />}>
            {(data) => <Crossings events={data.events} zone={zone} />}
          </Loaded>
        </Panel>
      )}
      {editing !== null && (
        <BudgetForm budget={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Page>
  );
}
