import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { Markdown } from '../../core/events/widgets/reading/markdown.tsx';
import type { getMembersEndpoint } from '../../core/orgs/contract.ts';
import { MeasureChart } from '../../core/root-cause/measure-chart.tsx';
import { RootCauseView } from '../../core/root-cause/root-cause-view.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { measureLabel } from '../../dashboard/shell/metrics/names.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type { getIncidentEndpoint, Incident, incidentRootCauseEndpoint } from './contract.ts';
import { IncidentBadges } from './incident-badges.tsx';
import { EditDialog, MergeDialog } from './incident-dialogs.tsx';
import { CommentForm, Timeline } from './incident-timeline.tsx';
import css from './incidents.module.css';
import { type IncidentSteps, useIncidentSteps } from './use-incident-steps.ts';

const incidentApi = endpointOf<typeof getIncidentEndpoint>('GET /v1/incidents/:id');
const causeApi = endpointOf<typeof incidentRootCauseEndpoint>('GET /v1/incidents/:id/root-cause');
const membersApi = endpointOf<typeof getMembersEndpoint>('GET /v1/organizations/:id/members');

const EVERY_MS = 15_000;

/** An incident: what explains it, what happened, and what people do about it. */
export function IncidentPage(): JSX.Element {
  const { incidentId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const asked = { params: { id }, query: { projectId } };
  const incident = useApi(incidentApi, asked, { every: EVERY_MS });
  const cause = useApi(causeApi, asked);
  const back = <ProjectLink page="incidents">Incidents</ProjectLink>;
  if (incident.error !== null && incident.data === undefined)
    return (
      <Page title="Incident" back={back} scoped={false}>
        <Failure
          error={incident.error}
          retry={() => void Promise.all([incident.refetch(), cause.refetch()])}
        />
      </Page>
    );
  const title = incident.data === undefined ? 'Incident' : `#${incident.data.number} ${incident.data.title}`;
  return (
    <Page title={title} back={back} scoped={false}>
      <div className="stack">
        <Loaded of={incident} loading={<LoadingRows rows={4} />}>
          {(data) => <Head incident={data} />}
        </Loaded>
        <Loaded of={cause} loading={<LoadingRows rows={8} />}>
          {(doc) => (
            <div className="stack">
              <Other watched={incident.data?.measure ?? null} explained={doc.measure} />
              <MeasureChart doc={doc} title={MEASURES[doc.measure] ?? measureLabel(doc.measure)} />
              <RootCauseView doc={doc}>
                {incident.data !== undefined && <History incident={incident.data} />}
              </RootCauseView>
            </div>
          )}
        </Loaded>
        {cause.data === undefined && incident.data !== undefined && <History incident={incident.data} />}
      </div>
    </Page>
  );
}

/** Says that another measure is explained than the alert watches. */
function Other({ watched, explained }: { watched: string | null; explained: string }): JSX.Element | null {
  if (watched === null || watched === explained) return null;
  return (
    <p className="dim lead">
      The alert watches “{measureLabel(watched)}”, which is no figure of single calls. Below, “
      {measureLabel(explained)}” of the same calls is explained.
    </p>
  );
}

const MEASURES: Readonly<Record<string, string>> = {
  cost: 'Cost',
  requests: 'Calls',
  errors: 'Errors',
  errorRate: 'Error rate',
  timeoutRate: 'Timeout rate',
  rateLimited: 'Rate limits',
  latencyAvg: 'Average latency',
  latencyP50: 'Median latency',
  latencyP95: 'p95 latency',
  latencyP99: 'p99 latency',
  cacheRate: 'Cache rate',
};

/** State, people and the buttons. */
function Head({ incident }: { incident: Incident }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const steps = useIncidentSteps(incident);
  const [dialog, setDialog] = useState<'edit' | 'merge' | null>(null);
  const close = (): void => setDialog(null);
  const { startedAt, resolvedAt, filter, status, mergedInto, alerts } = incident;
  return (
    <Panel>
      <div className={css.head}>
        <span>
          <IncidentBadges {...incident} />
        </span>
        <span>
          <span className="dim">Started</span> {timeText.minute(startedAt, zone)}
        </span>
        {resolvedAt !== null && (
          <span>
            <span className="dim">Resolved</span> {timeText.minute(resolvedAt, zone)}
          </span>
        )}
        {filter !== '' && (
          <span>
            <span className="dim">Calls</span>{' '}
            <ProjectLink page="events" search={{ filter }}>
              {filter}
            </ProjectLink>
          </span>
        )}
        {mergedInto !== null && (
          <ProjectLink page="incidents/$incidentId" params={{ incidentId: mergedInto }}>
            Merged into another incident
          </ProjectLink>
        )}
        {may('member') && mergedInto === null && (
          <>
            <Assignee incident={incident} steps={steps} />
            {status === 'open' && (
              <Button size="xs" loading={steps.isBusy} onClick={() => steps.acknowledge()}>
                Acknowledge
              </Button>
            )}
            {status === 'resolved' ? (
              <Button size="xs" variant="default" loading={steps.isBusy} onClick={() => steps.reopen()}>
                Reopen
              </Button>
            ) : (
              <Button size="xs" variant="default" loading={steps.isBusy} onClick={() => steps.resolve()}>
                Resolve
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => setDialog('edit')}>
              Edit
            </Button>
            {status !== 'resolved' && (
              <Button size="xs" variant="default" onClick={() => setDialog('merge')}>
                Merge
              </Button>
            )}
          </>
        )}
      </div>
      {dialog === 'edit' && <EditDialog incident={incident} steps={steps} onClose={close} />}
      {dialog === 'merge' && <MergeDialog incident={incident} steps={steps} onClose={close} />}
      {alerts.length > 0 && (
        <ul>
          {alerts.map(({ alertId, group, state, summary }) => (
            <li key={`${alertId} ${group}`}>
              <span className={state === 'firing' ? 'bad' : 'good'}>{state}</span> {summary}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const NOBODY = 'nobody';

function Assignee({ incident, steps }: { incident: Incident; steps: IncidentSteps }): JSX.Element {
  const { organizationId, userId } = useMember();
  const members = useApi(membersApi, { params: { id: organizationId } }, { enabled: organizationId !== '' });
  const known = members.data?.members ?? [];
  return (
    <NativeSelect
      size="xs"
      aria-label="Assignee"
      value={incident.assignee?.id ?? NOBODY}
      data={[
        { value: NOBODY, label: 'Nobody' },
        ...known.map((member) => ({
          value: member.userId,
          label: member.userId === userId ? `${member.name} (you)` : member.name,
        })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        steps.update({ assigneeId: value === NOBODY ? null : value })
      }
    />
  );
}

/** Notes and timeline. */
function History({ incident }: { incident: Incident }): JSX.Element {
  const { may } = useMember();
  const steps = useIncidentSteps(incident);
  const [isEditing, setIsEditing] = useState(false);
  const edit = may('member') && incident.mergedInto === null && (
    <Button size="xs" variant="default" onClick={() => setIsEditing(true)}>
      Edit notes
    </Button>
  );
  return (
    <div className="columns">
      <Panel title="Timeline">
        <div className="stack">
          <Timeline entries={incident.timeline} />
          {may('member') && <CommentForm onSend={(text) => steps.comment(text)} />}
        </div>
      </Panel>
      <Panel title="Notes" actions={edit}>
        {incident.notes === '' ? <p className="dim">No notes yet</p> : <Markdown text={incident.notes} />}
      </Panel>
      {isEditing && <NotesForm incident={incident} steps={steps} onClose={() => setIsEditing(false)} />}
    </div>
  );
}

function NotesForm({
  incident,
  steps,
  onClose,
}: {
  incident: Incident;
  steps: IncidentSteps;
  onClose: () => void;
}): JSX.Element {
  const form = useSubmit(async ({ notes = '' }) => {
    await steps.update({ notes });
    onClose();
  });
  return (
    <FormDialog title="Notes" form={form} submit="Save" onClose={onClose}>
      <Textarea
        label="Notes"
        description="Markdown"
        name="notes"
        defaultValue={incident.notes}
        autosize
        minRows={8}
        maxLength={20_000}
        data-autofocus
      />
    </FormDialog>
  );
}
