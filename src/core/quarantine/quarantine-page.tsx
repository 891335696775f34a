import { Button, Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf, type Sent } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { Chip } from '../../dashboard/ui/chip.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import type { listEventsEndpoint } from '../events/list/contract.ts';
import type {
  dismissEndpoint,
  listQuarantineEndpoint,
  QuarantinedLine,
  quarantineReasonsEndpoint,
  replayEndpoint,
} from './contract.ts';
import { parseObject } from './parse-object.ts';
import { ReasonsPanel } from './reasons-panel.tsx';

const listQuarantineApi = endpointOf<typeof listQuarantineEndpoint>('GET /v1/quarantine');
const reasonsApi = endpointOf<typeof quarantineReasonsEndpoint>('GET /v1/quarantine/reasons');
const dismissApi = endpointOf<typeof dismissEndpoint>('POST /v1/quarantine/dismiss');
const replayApi = endpointOf<typeof replayEndpoint>('POST /v1/quarantine/:lineId/replay');
const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

const EVERY_MS = 30_000;

type Body = Sent<typeof replayEndpoint>['body'];

/** Lines that ingest refused, by reason, with ways to correct and dismiss them. */
export function QuarantinePage(): JSX.Element {
  const { projectId, search } = useScope('quarantine');
  const setSearch = useSetSearch<'quarantine'>();
  const { reason } = search;
  const reasons = useApi(reasonsApi, { query: { projectId } }, { every: EVERY_MS });
  const lines = usePages(listQuarantineApi, { query: { projectId, limit: 50, reason } }, { every: EVERY_MS });
  const total = reasons.data?.total;
  const dropped = lines.data?.pages[0]?.dropped ?? null;
  return (
    <Page
      title="Quarantine"
      detail={total === undefined ? undefined : <span className="dim num">{numberText(total)}</span>}
      scoped={false}
    >
      <p className="dim lead">
        Refused events are kept for seven days. Correct an event to record it. See the{' '}
        <ProjectLink page="inspector">OTLP inspector</ProjectLink> for how spans are read.
      </p>
      {dropped !== null && <Dropped {...dropped} />}
      {total !== undefined && total > 0 && reasons.data !== undefined && (
        <ReasonsPanel reasons={reasons.data.reasons} />
      )}
      {reason !== undefined && (
        <div className="filters">
          <Chip label="Reason" onRemove={() => setSearch({ reason: undefined })}>
            {reason}
          </Chip>
        </div>
      )}
      <Paged
        pages={lines}
        rowsOf={(page) => page.lines}
        more="More events"
        bare
        empty={
          <Notice
            icon="check"
            title={
              reason === undefined
                ? 'No event was refused in the last seven days'
                : 'No event was refused for this reason'
            }
          />
        }
      >
        {(shown) => (
          <div className="stack">
            {shown.map((line) => (
              <Line key={line.id} line={line} projectId={projectId} />
            ))}
          </div>
        )}
      </Paged>
    </Page>
  );
}

function Dropped({ lines, since }: { lines: number; since: string }): JSX.Element {
  const zone = useZone();
  return (
    <p className="dim">
      {numberText(lines)} older events were deleted since {timeText.second(since, zone)}
      {zone === 'utc' ? ' UTC' : ''}: a project keeps the newest 10,000, at most 16 MB.
    </p>
  );
}

function Line({ line, projectId }: { line: QuarantinedLine; projectId: string }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const replay = useChange<Body>({
    failed: 'The event was not accepted',
    send: (body) => send(replayApi, { params: { lineId: line.id }, query: { projectId }, body }),
    stale: [listQuarantineApi, reasonsApi, listEventsApi],
    done: 'The event is recorded',
  });
  const dismiss = useChange({
    failed: 'The event was not dismissed',
    send: () => send(dismissApi, { query: { projectId }, body: { ids: [line.id] } }),
    stale: [listQuarantineApi, reasonsApi],
  });
  const record = (): void => {
    const event = parseObject(text ?? '');
    setWrong(event === null ? 'This is not a JSON object' : null);
    if (event !== null) replay.mutate({ event }, { onError: (error) => setWrong(error.message) });
  };
  const shown = JSON.stringify(line.event, null, 2);
  return (
    <Panel
      title={<span className="bad">{line.error}</span>}
      detail={`line ${line.line}, ${timeText.zoned(line.receivedAt, zone)}`}
      actions={
        may('member') && text === null ? (
          <>
            {line.event !== null && (
              <Button variant="default" onClick={() => setText(shown)}>
                Correct
              </Button>
            )}
            <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
              Dismiss
            </Button>
          </>
        ) : undefined
      }
    >
      {line.event === null ? (
        <p className="dim">This line was not a JSON object, or too long to keep.</p>
      ) : text === null ? (
        <section tabIndex={0} aria-label="The event as sent">
          <pre className="json">{shown}</pre>
        </section>
      ) : (
        <div className="form">
          <Textarea
            aria-label="The event, corrected"
            autosize
            minRows={4}
            maxRows={24}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={wrong}
            classNames={{ input: 'mono' }}
            spellCheck={false}
          />
          <span className="panel-actions own-width">
            <Button onClick={record} loading={replay.isPending}>
              Record
            </Button>
            <Button variant="default" onClick={() => setText(null)}>
              Cancel
            </Button>
          </span>
        </div>
      )}
    </Panel>
  );
}
