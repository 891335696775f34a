import { Button, Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf, type Sent } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import type { listEventsEndpoint } from '../events/list/contract.ts';
import type { listQuarantineEndpoint, QuarantinedLine, replayEndpoint } from './contract.ts';

const listQuarantineApi = endpointOf<typeof listQuarantineEndpoint>('GET /v1/quarantine');
const replayApi = endpointOf<typeof replayEndpoint>('POST /v1/quarantine/:lineId/replay');
const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

type Body = Sent<typeof replayEndpoint>['body'];

/** Lines that ingest refused, with the reason and a way to correct them. */
export function QuarantinePage(): JSX.Element {
  const projectId = useProjectId();
  const zone = useZone();
  const lines = useApi(listQuarantineApi, { query: { projectId, limit: 200 } }, { every: 30_000 });
  const total = lines.data?.total;
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
      <Loaded
        of={lines}
        loading={
          <Panel flush>
            <LoadingRows />
          </Panel>
        }
      >
        {(data) =>
          data.lines.length === 0 ? (
            <Panel>
              <Notice icon="check" title="No event was refused in the last seven days" />
            </Panel>
          ) : (
            <div className="stack">
              {data.dropped !== null && (
                <p className="dim">
                  {numberText(data.dropped.lines)} older events were deleted since{' '}
                  {timeText.zoned(data.dropped.since, zone)}: a project keeps the newest 10,000, at most 16
                  MB.
                </p>
              )}
              {data.lines.map((line) => (
                <Line key={line.id} line={line} projectId={projectId} />
              ))}
              {data.total > data.lines.length && (
                <p className="dim">Only the newest {numberText(data.lines.length)} are shown.</p>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The object that JSON text means; null for everything else. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function Line({ line, projectId }: { line: QuarantinedLine; projectId: string }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const replay = useChange<Body>({
    failed: 'The event was not accepted',
    send: (body) => send(replayApi, { params: { lineId: line.id }, query: { projectId }, body }),
    stale: [listQuarantineApi, listEventsApi],
    done: 'The event is recorded',
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
        line.event !== null && may('member') && text === null ? (
          <Button variant="default" onClick={() => setText(shown)}>
            Correct
          </Button>
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
