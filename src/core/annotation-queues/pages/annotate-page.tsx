import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type JSX, useEffect, useRef, useState } from 'react';
import { send, useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { numberText } from '../../../lib/figures.ts';
import type { getEventEndpoint } from '../../events/list/contract.ts';
import { EventDetails } from '../../events/widgets/event-details.tsx';
import type { AnnotationTask, QueueDetail } from '../contract.ts';
import css from './annotation.module.css';
import { claimApi, queueApi, taskApi } from './queues-api.ts';
import { TaskForm } from './task-form.tsx';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');

/** The items of a queue, one at a time, for the keyboard. */
export function AnnotatePage(): JSX.Element {
  const { queueId: id = '' } = useParams({ strict: false });
  const projectId = useProjectId();
  const queue = useApi(queueApi, { params: { id }, query: { projectId } });
  const back = (
    <ProjectLink page="annotation-queues/$queueId" params={{ queueId: id }}>
      {queue.data?.name ?? 'Queue'}
    </ProjectLink>
  );
  const left = queue.data?.mine.open;
  return (
    <Page
      title="Annotate"
      back={back}
      detail={left !== undefined && <span className="dim">{numberText(left)} waiting for you</span>}
      scoped={false}
    >
      <Loaded of={queue} loading={<LoadingRows rows={12} />}>
        {(data) => <Task queue={data} />}
      </Loaded>
    </Page>
  );
}

type Claim = { readonly state: 'none' | 'asking' | 'empty' } | { readonly state: 'failed'; error: Error };

/** The item of the address; without one, the next that waits. */
function Task({ queue }: { readonly queue: QueueDetail }): JSX.Element {
  const projectId = useProjectId();
  const { may } = useMember();
  const { search } = useScope('annotation-queues/$queueId/annotate');
  const setSearch = useSetSearch<'annotation-queues/$queueId/annotate'>();
  const [claim, setClaim] = useState<Claim>({ state: 'none' });
  const isAsking = useRef(false);
  const no = Number(search.item) || null;
  const show = (item: number): void => setSearch({ item: String(item) }, { replace: true });
  const next = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    setClaim({ state: 'asking' });
    try {
      const { task } = await send(claimApi, { params: { id: queue.id }, query: { projectId } });
      if (task === null) setSearch({ item: undefined }, { replace: true });
      else show(task.no);
      setClaim({ state: task === null ? 'empty' : 'none' });
    } catch (error) {
      setClaim({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      isAsking.current = false;
    }
  };
  const shouldAsk = no === null && claim.state === 'none' && may('member');
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each page without an item
  useEffect(() => {
    if (shouldAsk) void next();
  }, [shouldAsk]);
  if (claim.state === 'failed')
    return (
      <Failure
        error={{ message: claim.error.message, status: 0, retryAfter: null }}
        retry={() => void next()}
      />
    );
  if (claim.state === 'empty')
    return (
      <Panel>
        <Notice
          icon="check"
          title="Nothing waits for you"
          action={
            <ProjectLink page="annotation-queues/$queueId" params={{ queueId: queue.id }}>
              Back to the queue
            </ProjectLink>
          }
        >
          You have annotated or skipped every item, or others look at the rest.
        </Notice>
      </Panel>
    );
  if (no === null)
    return may('member') ? (
      <LoadingRows rows={12} />
    ) : (
      <Panel>
        <Notice icon="annotate" title="Members can annotate" />
      </Panel>
    );
  return <Item queue={queue} no={no} onShow={show} onNext={() => void next()} />;
}

type ItemProps = {
  readonly queue: QueueDetail;
  readonly no: number;
  readonly onShow: (no: number) => void;
  readonly onNext: () => void;
};

function Item({ queue, no, onShow, onNext }: ItemProps): JSX.Element {
  const projectId = useProjectId();
  const task = useApi(taskApi, { params: { id: queue.id, no }, query: { projectId } });
  // The reply of the item before stays until this one is there.
  const isThere = task.data?.no === no;
  return (
    <Loaded of={task} loading={<LoadingRows rows={12} />}>
      {(data) => (
        <div className={css.task} aria-busy={!isThere}>
          <Content task={data} />
          <Panel className={css.side}>
            <TaskForm
              key={`${data.no} ${data.state}`}
              queue={queue}
              task={data}
              onShow={onShow}
              onNext={onNext}
            />
          </Panel>
        </div>
      )}
    </Loaded>
  );
}

function Content({ task: { event, traceId, spanId } }: { readonly task: AnnotationTask }): JSX.Element {
  const { projectId, zone } = useScope();
  const found = useApi(
    eventApi,
    { params: { id: event?.id ?? '' }, query: { projectId, timestamp: event?.timestamp } },
    { enabled: event !== null },
  );
  if (event === null)
    return (
      <Panel>
        <Notice icon="traces" title="The events of this trace are gone">
          Retention may have deleted them. Skip the item.
        </Notice>
      </Panel>
    );
  return (
    <Panel
      title="To annotate"
      flush
      actions={
        <ProjectLink
          page="traces/$traceId"
          params={{ traceId }}
          search={spanId === null ? {} : { span: spanId }}
        >
          <Button component="span" size="compact-xs" variant="default">
            Whole trace
          </Button>
        </ProjectLink>
      }
    >
      <Loaded of={found} loading={<LoadingRows rows={10} />}>
        {(data) => <EventDetails event={data} zone={zone} around={{ previous: null, next: null }} />}
      </Loaded>
    </Panel>
  );
}
