import { Button, SegmentedControl } from '@mantine/core';
import { type JSX, useState } from 'react';
import type { EventPage } from '../../core/events/contract.ts';
import type { listEventsEndpoint } from '../../core/events/list/contract.ts';
import type { createKeyEndpoint, listKeysEndpoint } from '../../core/keys/contract.ts';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { type Member, useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { timeText } from '../../dashboard/ui/format.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { SecretOnce } from '../../dashboard/ui/secret-once.tsx';
import { Snippet } from '../../dashboard/ui/snippet.tsx';
import { Failure } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import { SNIPPETS, type SnippetName } from './snippets.ts';

const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');
const createKeyApi = endpointOf<typeof createKeyEndpoint>('POST /v1/projects/:id/keys');

const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

const isSnippetName = (text: string): text is SnippetName => text in SNIPPETS;

const LOOK_EVERY_MS = 2_000;

/** From a key to the first event: what to run, and whether it arrived. */
export function StartPage(): JSX.Element {
  const projectId = useProjectId();
  const member = useMember();
  const [name, setName] = useState<SnippetName>('curl');
  const events = useApi(
    listEventsApi,
    { query: { projectId, kind: 'all', limit: 1 } },
    { every: LOOK_EVERY_MS },
  );
  const [made, setMade] = useState<MadeKey | null>(null);
  const apiKey = made?.projectId === projectId ? made.apiKey : null;
  const { blocks, note } = SNIPPETS[name];
  return (
    <Page title="Send events" detail={<span className="dim">to {member.projectName}</span>} scoped={false}>
      <div className="steps">
        <Panel title="1. An API key">
          <KeyStep
            projectId={projectId}
            member={member}
            apiKey={apiKey}
            onMade={(key) => setMade({ projectId, apiKey: key })}
          />
        </Panel>
        <Panel title="2. Send something">
          <div className="form">
            <SegmentedControl
              size="xs"
              aria-label="How"
              value={name}
              onChange={(value) => isSnippetName(value) && setName(value)}
              data={Object.entries(SNIPPETS).map(([value, { label }]) => ({ value, label }))}
            />
            {blocks({ origin: location.origin, apiKey }).map(({ title, text }) => (
              <div key={title}>
                <p className="dim">{title}</p>
                <Snippet text={text} label={`What to run: ${title}`} />
              </div>
            ))}
            <p className="dim">
              {note}{' '}
              <a href="/docs/events" target="_blank" rel="noopener">
                Every field of an event
              </a>
            </p>
          </div>
        </Panel>
        <Panel title="3. See it arrive">
          {events.error !== null && events.data === undefined ? (
            <Failure error={events.error} retry={() => void events.refetch()} />
          ) : (
            <Arrival page={events.data} />
          )}
        </Panel>
        <p className="dim">
          Not what you expected? The <ProjectLink page="inspector">OTLP inspector</ProjectLink> explains how
          each span of a recorded request is read.
        </p>
        <p className="dim">
          Project id <code>{projectId}</code>, organization id <code>{member.organizationId}</code>
        </p>
      </div>
    </Page>
  );
}

/** A key that was made here, and the project that it is for. */
type MadeKey = { readonly projectId: string; readonly apiKey: string };
type KeyStepProps = {
  readonly projectId: string;
  readonly member: Member;
  readonly apiKey: string | null;
  readonly onMade: (apiKey: string) => void;
};

/** The key is shown here and in the snippets, and never again. */
function KeyStep({ projectId, member, apiKey, onMade }: KeyStepProps): JSX.Element {
  const create = useChange({
    failed: 'The key was not created',
    send: async () => {
      const body = { name: 'first events' };
      onMade((await send(createKeyApi, { params: { id: projectId }, body })).apiKey);
    },
    stale: [listKeysApi],
  });
  if (apiKey !== null)
    return (
      <div className="form">
        <p>Copy it now, it is shown only once. The snippets below contain it.</p>
        <SecretOnce value={`export SPANLEDGER_API_KEY=${apiKey}`} />
      </div>
    );
  return (
    <div className="form">
      <p className="dim">
        A key can only write events to this project. Keep it in <code>SPANLEDGER_API_KEY</code>.
      </p>
      {member.may('admin') ? (
        <Button
          onClick={() => create.mutate()}
          loading={create.isPending}
          leftSection={<Icon name="key" size={14} />}
          className="own-width"
        >
          Create API key
        </Button>
      ) : (
        <p>Ask an admin of {member.organizationName} for a key.</p>
      )}
    </div>
  );
}

/** Green as soon as there is an event, whoever sent it. */
function Arrival({ page }: { page: EventPage | undefined }): JSX.Element {
  const zone = useZone();
  const [newest] = page?.events ?? [];
  if (page === undefined || newest === undefined)
    return (
      <p role="status" className="arrival">
        <span className="pulse" /> Waiting for the first event …
      </p>
    );
  return (
    <div role="status" className="arrival arrived">
      <Icon name="check" size={18} />
      <span>
        <strong>
          {page.total === 1 ? 'The first event is here.' : `${numberText(page.total)} events are here.`}
        </strong>{' '}
        The newest: {newest.model ?? newest.name ?? newest.operation},{' '}
        {timeText.zoned(newest.timestamp, zone)}.
      </span>
      <span className="arrival-links">
        <ProjectLink page="events" search={{ event: newest.event_id, at: newest.timestamp }}>
          Open event
        </ProjectLink>
        <ProjectLink page="overview">Overview</ProjectLink>
      </span>
    </div>
  );
}
