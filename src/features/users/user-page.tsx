import { Skeleton } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type ComponentType, type JSX, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { CopyId } from '../../dashboard/ui/copy-id.tsx';
import { agoText, timeText, type Zone } from '../../dashboard/ui/format.ts';
import { LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import type { getUserEndpoint, UserReply } from './contract.ts';
import { RecentEvents } from './recent-events.tsx';
import { UserFigures } from './user-figures.tsx';
import { UserModels } from './user-models.tsx';

const userApi = endpointOf<typeof getUserEndpoint>('GET /v1/users/:userId');

/** What other modules show on this page. */
type Parts = {
  readonly RecentSessions: ComponentType<{ userId: string; window: UserReply['window'] }>;
  readonly UserBudgets: ComponentType<{ userId: string }>;
  readonly EraseUser: ComponentType<{ userId: string; onAsked: (erasureId: string) => void }>;
  readonly ErasureReport: ComponentType<{ id: string }>;
};

/** One end user: cost over time and by model, recent sessions and recent calls. */
export function UserPage(parts: Parts): JSX.Element {
  const userId = useParams({ from: '/projects/$projectId/users/$userId' }).userId;
  return <OneUser key={userId} userId={userId} {...parts} />;
}

function OneUser({ userId, EraseUser, ErasureReport, ...parts }: Parts & { userId: string }): JSX.Element {
  const { params, zone, every } = useScope();
  const user = useApi(userApi, { params: { userId }, query: params }, { every });
  const [erasure, setErasure] = useState<string | null>(null);
  const isGone = user.error?.status === 404;
  return (
    <Page
      title="User"
      back={<ProjectLink page="users">Users</ProjectLink>}
      detail={<CopyId id={userId} />}
      actions={erasure === null && !isGone && <EraseUser userId={userId} onAsked={setErasure} />}
    >
      {erasure !== null && <ErasureReport id={erasure} />}
      {isGone ? (
        <Panel>
          <Notice icon="users" title="There is no such user in this project">
            No events have this user id. They were never sent, retention deleted them, or the user was erased.
          </Notice>
        </Panel>
      ) : (
        <Loaded of={user} loading={<Loading />}>
          {(data) => <Content data={data} zone={zone} {...parts} />}
        </Loaded>
      )}
    </Page>
  );
}

const Loading = (): JSX.Element => (
  <div className="stack">
    <LoadingRows rows={1} height={20} />
    <Panel flush>
      <LoadingKpis count={5} />
      <div className="chart-area">
        <Skeleton height={224} />
      </div>
    </Panel>
  </div>
);

type ContentProps = Pick<Parts, 'RecentSessions' | 'UserBudgets'> & {
  readonly data: UserReply;
  readonly zone: Zone;
};

function Content({ data, zone, RecentSessions, UserBudgets }: ContentProps): JSX.Element {
  const { user, window } = data;
  return (
    <div className="stack">
      <p className="dim num">
        Last seen{' '}
        <span title={timeText.full(user.last_seen, zone)}>{agoText(user.last_seen, Date.now())}</span>, first
        on {timeText.date(user.first_seen, zone)}. Figures cover whole days in UTC.
      </p>
      {user.events === 0 ? (
        <Panel>
          <Notice icon="users" title="No events of this user in this time">
            Choose a longer range or another environment.
          </Notice>
        </Panel>
      ) : (
        <>
          <UserFigures data={data} />
          <div className="columns">
            <UserModels data={data} />
            <RecentSessions userId={user.user_id} window={window} />
          </div>
        </>
      )}
      <UserBudgets userId={user.user_id} />
      {user.events > 0 && <RecentEvents userId={user.user_id} window={window} />}
    </div>
  );
}
