import { Button, Textarea } from '@mantine/core';
import { type JSX, useState } from 'react';
import { call, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import type { listQuarantineEndpoint, QuarantinedLine } from './contract.ts';

const listQuarantineApi = endpointOf<typeof listQuarantineEndpoint>('GET /v1/quarantine');

const PATH = '/v1/quarantine';

/** Lines that ingest refused: why, and the way to bring one in corrected. */
export function QuarantinePage(): JSX.Element {
  const projectId = useProjectId();
  const lines = useApi(listQuarantineApi, { query: { projectId, limit: 200 } }, { every: 30_000 });
  const total = lines.data?.total;
  return (
    <Page
      title="Quarantine"
      detail={total === undefined ? undefined : <span className="dim num">{numberText(total)}</span>}
      scoped={false}
    >
      <p className="dim lead">
        Events that were refused are kept for seven days. Correct one and send it in again. What becomes of
        OpenTelemetry spans, and why, tells the <ProjectLink page="inspector">OTLP inspector</ProjectLink>.
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
              <Notice icon="check" title="Nothing was refused in the last seven days" />
            </Panel>
          ) : (
            <div className="stack">
              {data.lines.map((line) => (
                <Line key={line.id} line={line} projectId={projectId} />
              ))}
              {data.total > data.lines.length && (
                <p className="dim">The newest {numberText(data.lines.length)} are shown.</p>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function Line({ line, projectId }: { line: QuarantinedLine; projectId: string }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const replay = useChange<unknown>({
    failed: 'The event was not accepted',
    send: (event) =>
      call(`${PATH}/${line.id}/replay?projectId=${encodeURIComponent(projectId)}`, {
        method: 'POST',
        body: { event },
      }),
    stale: [PATH, '/v1/events'],
    done: 'The event is recorded',
  });
  const send = (): void => {
    try {
      const event: unknown = JSON.parse(text ?? '');
      setWrong(null);
      replay.mutate(event, { onError: (error) => setWrong(error.message) });
    } catch (error) {
      setWrong(`This is not JSON: ${(error as Error).message}`);
    }
  };
  const shown = JSON.stringify(line.event, null, 2);
  return (
    <Panel
      title={<span className="bad">{line.error}</span>}
      detail={`line ${line.line}, ${timeText.second(line.receivedAt, zone)}${zone === 'utc' ? ' UTC' : ''}`}
      actions={
        line.event !== null && may('member') && text === null ? (
          <Button variant="default" onClick={() => setText(shown)}>
            Correct
          </Button>
        ) : undefined
      }
    >
      {line.event === null ? (
        <p className="dim">It was no JSON object, or too long to keep.</p>
      ) : text === null ? (
        <section tabIndex={0} aria-label="The event as it came">
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
            <Button onClick={send} loading={replay.isPending}>
              Record it
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
