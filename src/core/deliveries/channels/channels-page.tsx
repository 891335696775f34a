import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { SecretOnce } from '../../../dashboard/ui/secret-once.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { ChannelForm, type FreshSecret } from './channel-form.tsx';
import { ChannelTable } from './channel-table.tsx';
import type { Channel, listChannelsEndpoint } from './contract.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');

/** Where notifications of the organization go. */
export function ChannelsPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const { data, error, refetch } = useApi(
    listChannelsApi,
    { query: { organizationId } },
    { enabled: organizationId !== '' },
  );
  const [edited, setEdited] = useState<Channel | 'new' | null>(null);
  // Shown until the user leaves the page.
  const [fresh, setFresh] = useState<FreshSecret | null>(null);
  const add = may('admin') ? <Button onClick={() => setEdited('new')}>New channel</Button> : undefined;
  const isEmpty = data?.channels.length === 0;
  return (
    <Page
      title="Channels"
      detail={<span className="dim">of {organizationName}</span>}
      actions={isEmpty ? undefined : add}
      scoped={false}
    >
      <p className="dim lead">
        A channel receives the notifications that it subscribes to, such as alerts, incidents and budgets.
      </p>
      {fresh !== null && (
        <Panel title={`Signing secret of ${fresh.name}`} detail="Copy it now, it is shown only once">
          <SecretOnce value={fresh.secret} />
        </Panel>
      )}
      <Panel flush>
        {data === undefined ? (
          error === null ? (
            <LoadingRows rows={4} />
          ) : (
            <Failure error={error} retry={() => void refetch()} />
          )
        ) : isEmpty ? (
          <Notice icon="live" title="No channels yet" action={add}>
            Create one to get notifications by e-mail, webhook, Slack, Discord, Teams or PagerDuty.
          </Notice>
        ) : (
          <ChannelTable channels={data.channels} onEdit={setEdited} onSecret={setFresh} />
        )}
      </Panel>
      {edited !== null && (
        <ChannelForm
          channel={edited === 'new' ? null : edited}
          onSecret={setFresh}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}
