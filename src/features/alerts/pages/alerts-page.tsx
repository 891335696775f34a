import { Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import type { Sent } from '../../../dashboard/shell/endpoint.ts';
import { NoRows, RowFilterBar, Without } from '../../../dashboard/shell/filter/row-filter.tsx';
import { filterIn } from '../../../dashboard/shell/filter/use-filter.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { isOneOf } from '../../../dashboard/shell/scope/search.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { ALERT_FIELDS } from '../alert-fields.ts';
import type { AlertList, listAlertsEndpoint } from '../contract.ts';
import { AlertTable } from './alert-table.tsx';
import { EVERY_MS, listAlertsApi } from './alerts-api.ts';
import { LinkButton } from './link-button.tsx';
import { SilenceDialog } from './silence-dialog.tsx';
import { SilencePanel } from './silence-panel.tsx';
import { StarterPanel } from './starter-panel.tsx';
import { STATES } from './state-badge.tsx';

/** The alerts of a project, those that fire first. */
export function AlertsPage(): JSX.Element {
  const projectId = useProjectId();
  const { search } = useScope('alerts');
  const { may } = useMember();
  const state = isOneOf(search.state, STATES) ? search.state : undefined;
  const setSearch = useSetSearch<'alerts'>();
  const filter = filterIn(search.q, (q) => setSearch({ q }));
  const query = { projectId, state, filter: search.q };
  const pages = usePages(listAlertsApi, { query }, { every: EVERY_MS });
  const totals = pages.data?.pages[0]?.totals;
  const add = may('member') ? <LinkButton page="alerts/new">New alert</LinkButton> : undefined;
  const [isSilencing, setIsSilencing] = useState(false);
  const isNew = totals?.all === 0;
  const known = pages.data?.pages.flatMap(({ alerts }) => alerts) ?? [];
  return (
    <Page
      title="Alerts"
      actions={
        !isNew &&
        may('member') && (
          <>
            <Button variant="default" onClick={() => setIsSilencing(true)}>
              Silence all
            </Button>
            {add}
          </>
        )
      }
      scoped={false}
    >
      {!isNew && (
        <RowFilterBar
          filter={filter}
          fields={ALERT_FIELDS}
          rows={known}
          placeholder="Filter: measure:cost, environment:production, text"
        >
          <States totals={totals} />
        </RowFilterBar>
      )}
      <Paged
        pages={pages}
        rowsOf={({ alerts }) => alerts}
        more="More alerts"
        empty={
          isNew ? (
            <FirstAlert add={add} />
          ) : filter.parts.length === 0 ? (
            <NoneIn />
          ) : (
            <NoRows filter={filter} error={null} what="alerts">
              {filter.parts.slice(0, MOST_PARTS).map((part) => (
                <WithoutPart key={part} part={part} parts={filter.parts} query={query} />
              ))}
            </NoRows>
          )
        }
      >
        {(alerts) => <AlertTable alerts={alerts} />}
      </Paged>
      {isNew && <StarterPanel taken={known.map(({ name }) => name)} />}
      {!isNew && <SilencePanel alertId={null} />}
      {isSilencing && (
        <SilenceDialog
          of={{}}
          title="Silence all alerts of the project"
          onClose={() => setIsSilencing(false)}
        />
      )}
    </Page>
  );
}

/** Parts that are tried; more would be more requests than a page may make. */
const MOST_PARTS = 6;
/** Alerts that are counted for each of them. */
const COUNTED = 200;

type WithoutProps = {
  readonly part: string;
  readonly parts: readonly string[];
  readonly query: Sent<typeof listAlertsEndpoint>['query'];
};

function WithoutPart({ part, parts, query }: WithoutProps): JSX.Element | null {
  const rest = parts.filter((one) => one !== part).join(' ');
  const filter = rest === '' ? undefined : rest;
  const { data } = useApi(listAlertsApi, { query: { ...query, filter, limit: COUNTED } });
  return data === undefined ? null : <Without part={part} count={data.alerts.length} />;
}

const FirstAlert = ({ add }: { readonly add: JSX.Element | undefined }): JSX.Element => (
  <Notice icon="alerts" title="No alerts yet" action={add}>
    An alert watches a figure, such as the error rate of each model, and notifies people when it crosses a
    threshold, changes or becomes unusual.
  </Notice>
);

const NoneIn = (): JSX.Element => (
  <Notice
    icon="check"
    title="No alert has this state"
    action={
      <ProjectLink page="alerts" search={{ state: undefined }}>
        Show all
      </ProjectLink>
    }
  />
);

/** The states with the number of alerts in each; one of them narrows the list. */
function States({ totals }: { readonly totals: AlertList['totals'] | undefined }): JSX.Element {
  const { search } = useScope('alerts');
  const setSearch = useSetSearch<'alerts'>();
  const counts = {
    critical: totals?.critical,
    warning: totals?.warning,
    no_data: totals?.noData,
    pending: totals?.pending,
    ok: totals?.ok,
  };
  const options = Object.entries(counts).map(([value, count]) => ({
    value,
    label: `${isOneOf(value, STATES) ? STATES[value].label : value} (${count ?? 0})`,
  }));
  return (
    <>
      <NativeSelect
        aria-label="State"
        size="xs"
        data={[{ value: '', label: `All states (${totals?.all ?? 0})` }, ...options]}
        value={search.state ?? ''}
        onChange={({ currentTarget: { value } }) => setSearch({ state: value === '' ? undefined : value })}
      />
      {totals !== undefined && totals.failing > 0 && (
        <span className="badge bad">{totals.failing} failing</span>
      )}
      {totals !== undefined && totals.all >= totals.most && (
        <span className="dim">The plan has no room for more than {totals.most} alerts.</span>
      )}
    </>
  );
}
