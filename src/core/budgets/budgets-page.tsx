import { Button } from '@mantine/core';
import { type ComponentProps, type JSX, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { filterRows, NoRows, RowFilterBar, Without } from '../../dashboard/shell/filter/row-filter.tsx';
import { filterIn } from '../../dashboard/shell/filter/use-filter.ts';
import { meApi, useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { countWithout } from '../../lib/filter/rows.ts';
import type { listKeysEndpoint } from '../keys/contract.ts';
import { budgetFields } from './budget-fields.ts';
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
  const { projectId, zone, search } = useScope('budgets');
  const setSearch = useSetSearch<'budgets'>();
  const options = { enabled: organizationId !== '', every: EVERY_MS };
  const budgets = useApi(listBudgetsApi, { query: { organizationId } }, options);
  const crossed = useApi(listBudgetEventsApi, { query: { organizationId } }, options);
  const keys = useApi(listKeysApi, { params: { id: projectId } }).data?.keys ?? [];
  const [isNew, setIsNew] = useState(false);
  const all = budgets.data?.budgets ?? [];
  const opened = isNew ? null : all.find(({ id }) => id === search.budget);
  const close = (): void => {
    setIsNew(false);
    setSearch({ budget: undefined }, { replace: true });
  };
  const add = may('admin') ? <Button onClick={() => setIsNew(true)}>New budget</Button> : undefined;
  const isEmpty = budgets.data?.budgets.length === 0;
  return (
    <Page
      title="Budgets"
      detail={<span className="dim">of {organizationName}</span>}
      actions={isEmpty ? undefined : add}
      scoped={false}
    >
      <Loaded
        of={budgets}
        loading={
          <Panel flush>
            <LoadingRows rows={4} height={49} />
          </Panel>
        }
      >
        {({ budgets: rows }) =>
          rows.length === 0 ? (
            <Panel flush>
              <Notice icon="budgets" title="No budgets yet" action={add}>
                A budget limits what the organization, a project, an API key, an end user, a tag value, an
                agent or a tool spends in a day, week or month. It warns when spending crosses a threshold.
              </Notice>
            </Panel>
          ) : (
            <Budgets
              budgets={rows}
              keys={keys}
              onEdit={may('admin') ? ({ id }) => setSearch({ budget: id }) : null}
            />
          )
        }
      </Loaded>
      {!isEmpty && (
        <Panel title="Threshold history" detail="newest first" flush>
          <Loaded of={crossed} loading={<LoadingRows rows={2} />}>
            {(data) => <Crossings events={data.events} zone={zone} />}
          </Loaded>
        </Panel>
      )}
      {opened !== undefined && <BudgetForm budget={opened} mayEdit={may('admin')} onClose={close} />}
    </Page>
  );
}

type BudgetsProps = Pick<ComponentProps<typeof BudgetTable>, 'budgets' | 'keys' | 'onEdit'>;

/** The budgets that the filter of the address leaves. */
function Budgets({ budgets, keys, onEdit }: BudgetsProps): JSX.Element {
  const { organizationId } = useMember();
  const { search } = useScope('budgets');
  const setSearch = useSetSearch<'budgets'>();
  const own = useApi(meApi, {}).data?.memberships.find((one) => one.organizationId === organizationId);
  const projects = new Map(own?.projects.map(({ id, name }) => [id, name]));
  const filter = filterIn(search.q, (q) => setSearch({ q }));
  const fields = budgetFields((id) => projects.get(id));
  const { rows, error } = filterRows(filter, budgets, fields);
  return (
    <div className="stack">
      <RowFilterBar
        filter={filter}
        fields={fields}
        rows={budgets}
        known={{ ...tagsOf(budgets), project: projectsOf(budgets, projects) }}
        nameOf={(value) => keys.find(({ id }) => id === value)?.name ?? value}
        placeholder="Filter: status:exceeded, kind:user, used>80, text"
      />
      <Panel flush>
        {rows.length === 0 ? (
          <NoRows filter={filter} error={error} what="budgets">
            {error === null &&
              countWithout(filter.parts, budgets, fields).map((one) => <Without key={one.part} {...one} />)}
          </NoRows>
        ) : (
          <BudgetTable budgets={rows} projects={projects} keys={keys} onEdit={onEdit} />
        )}
      </Panel>
    </div>
  );
}

/** Names of the projects that budgets are of. */
const projectsOf = (budgets: readonly Budget[], names: ReadonlyMap<string, string>): readonly string[] => {
  const ids = budgets.flatMap(({ of }) => ('projectId' in of ? (of.projectId ?? []) : []));
  return [...new Set(ids.flatMap((id) => names.get(id) ?? []))].sort();
};

/** The tags that budgets are of, with their values. */
function tagsOf(budgets: readonly Budget[]): Readonly<Record<string, readonly string[]>> {
  const tags = new Map<string, string[]>();
  for (const { of } of budgets)
    if (of.kind === 'tag') tags.set(`tag.${of.tag}`, [...(tags.get(`tag.${of.tag}`) ?? []), of.value]);
  return Object.fromEntries(tags);
}
