import { Button, Alert as Warning } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope } from '../../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { alertLeftOutText, valueText } from '../notify/texts.ts';
import { AlertChart } from './alert-chart.tsx';
import { AlertEditor } from './alert-editor.tsx';
import css from './alert-page.module.css';
import {
  ALERTS_STALE,
  deleteAlertApi,
  EVERY_MS,
  getAlertApi,
  type ShownAlert,
  updateAlertApi,
} from './alerts-api.ts';
import { GroupTable } from './group-table.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { LinkButton } from './link-button.tsx';
import { formOf, readForm } from './rule-form.ts';
import { nounOf, sentenceOf } from './rule-words.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { SilencePanel } from './silence-panel.tsx';
import { AlertBadges } from './state-badge.tsx';

const BACK = <ProjectLink page="alerts">Alerts</ProjectLink>;

/** One alert: what it watches, its groups, its history. `?edit=1` changes it. */
export function AlertPage(): JSX.Element {
  const { alertId = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const { search } = useScope('alerts/$alertId');
  const { may } = useMember();
  const asked = { params: { id: alertId }, query: { projectId } };
  const alert = useApi(getAlertApi, asked, { every: EVERY_MS });
  if (alert.data === undefined)
    return (
      <Page title="Alert" back={BACK} scoped={false}>
        <Panel flush>
          {alert.error === null ? (
            <LoadingRows rows={6} />
          ) : (
            <Failure error={alert.error} retry={() => void alert.refetch()} />
          )}
        </Panel>
      </Page>
    );
  if (search.edit === '1' && may('member'))
    return <AlertEditor key={alertId} id={alertId} first={formOf(alert.data)} />;
  return <Shown alert={alert.data} />;
}

function Shown({ alert }: { readonly alert: ShownAlert }): JSX.Element {
  const { may } = useMember();
  return (
    <Page
      title={alert.name}
      back={BACK}
      detail={<AlertBadges {...alert} />}
      actions={may('member') && <Actions alert={alert} />}
      scoped={false}
    >
      <p className="lead any-break">{sentenceOf(alert)}</p>
      {alert.error !== null && (
        <Warning color="red" title="The last evaluation failed">
          {alert.error.message}
        </Warning>
      )}
      {alert.groups.left > 0 && (
        <Warning color="yellow" title="Not every group is judged">
          {alert.groups.left} groups are left out; the 1,000 with most calls are judged. A filter narrows
          them.
        </Warning>
      )}
      <Unpriced alert={alert} />
      <Panel
        title={alert.groupBy == null ? 'State' : 'Groups'}
        detail={alert.groupBy == null ? undefined : groupsText(alert)}
        flush
      >
        {alert.states.length === 0 ? (
          <p className={`dim ${css.line}`}>{quietText(alert)}</p>
        ) : (
          <GroupTable alert={alert} />
        )}
      </Panel>
      <AlertChart alert={alert} />
      <SilencePanel alertId={alert.id} />
      <HistoryPanel alert={alert} />
    </Page>
  );
}

/** What there is to say of an alert that has no group to list. */
function quietText({ evaluatedAt, groupBy, measure, ...valued }: ShownAlert): string {
  if (evaluatedAt === null) return 'The first evaluation comes within a minute.';
  if (groupBy != null) return 'Every group is ok.';
  const value = valueText(measure, valued);
  return value === null ? 'It is ok: there is no value.' : `It is ok: ${nounOf(measure)} is ${value}.`;
}

/** Groups whose cost leaves out calls may be dearer, and their states worse; without groups, the value says it. */
function Unpriced({ alert }: { readonly alert: ShownAlert }): JSX.Element | null {
  const text = alert.groupBy == null ? null : alertLeftOutText(alert);
  if (text === null) return null;
  return (
    <Warning color="yellow" title={text}>
      The alert judges the priced calls only. <ProjectLink page="prices">Set prices</ProjectLink>
    </Warning>
  );
}

const groupsText = ({ groups: { critical, warning, total } }: ShownAlert): string =>
  total === 0 ? '' : `${critical + warning} of ${total} fire`;

function Actions({ alert }: { readonly alert: ShownAlert }): JSX.Element {
  const { id, name, enabled = true } = alert;
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [isSilencing, setIsSilencing] = useState(false);
  const toggle = useChange({
    failed: `The alert was not ${enabled ? 'disabled' : 'enabled'}`,
    send: async () => {
      const { rule } = readForm({ ...formOf(alert), enabled: !enabled });
      if (rule === null) throw new Error('This rule cannot be read; edit it');
      await send(updateAlertApi, { params: { id }, query: { projectId }, body: rule });
    },
    stale: ALERTS_STALE,
    done: enabled ? 'The alert is disabled' : 'The alert is enabled',
  });
  const remove = useChange({
    failed: 'The alert was not deleted',
    send: async () => {
      await send(deleteAlertApi, { params: { id }, query: { projectId } });
      await navigate({ to: '/projects/$projectId/alerts', params: { projectId } });
    },
    stale: ALERTS_STALE,
    done: 'The alert is deleted',
  });
  return (
    <>
      <Button variant="default" onClick={() => setIsSilencing(true)}>
        Silence
      </Button>
      <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <LinkButton page="alerts/new" search={{ copy: id }} variant="default">
        Duplicate
      </LinkButton>
      <Confirm
        label="Delete"
        size="xs"
        title={`Delete ${name}?`}
        confirm="Delete alert"
        onConfirm={() => remove.mutate()}
      >
        Its history is deleted too. Channels that were told that it fires are told that it resolved.
      </Confirm>
      <LinkButton page="alerts/$alertId" alertId={id} search={{ edit: '1' }}>
        Edit
      </LinkButton>
      {isSilencing && (
        <SilenceDialog of={{ alertId: id }} title={`Silence ${name}`} onClose={() => setIsSilencing(false)} />
      )}
    </>
  );
}
