import { Button, NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { isOneOf } from '../../../dashboard/shell/scope/search.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { Notice } from '../../../dashboard/ui/states.tsx';
import type { AlertList } from '../contract.ts';
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
  const pages = usePages(listAlertsApi, { query: { projectId, state } }, { every: EVERY_MS });
  const totals = pages.data?.pages[0]?.totals;
  const add = may('member') ? <LinkButton page="alerts/new">New alert</LinkButton> : undefined;
  const [isSilencing, setIsSilencing] = useState(false);
  const isNew = totals?.all === 0;
  const names = pages.data?.pages.flatMap(({ alerts }) => alerts.map(({ name }) => name)) ?? [];
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
      {!isNew && <States totals={totals} />}
      <Paged
        pages={pages}
        rowsOf={({ alerts }) => alerts}
        more="More alerts"
        empty={isNew ? <FirstAlert add={add} /> : <NoneIn />}
      >
        {(alerts) => <AlertTable alerts={alerts} />}
      </Paged>
      {isNew && <StarterPanel taken={names} />}
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
    <div className="inline-form">
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
    </div>
  );
}
