import { Button } from '@mantine/core';
import type { JSX } from 'react';
import { send } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useMember } from '../../../dashboard/shell/member.ts';
import { useNotify } from '../../../dashboard/shell/notices/notices.tsx';
import { useChange } from '../../../dashboard/shell/use-change.ts';
import { Confirm } from '../../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { agoText } from '../../../dashboard/ui/format.ts';
import type { listDeliveriesEndpoint } from '../contract.ts';
import { type FreshSecret, KINDS } from './channel-form.tsx';
import type {
  Channel,
  deleteChannelEndpoint,
  listChannelsEndpoint,
  rotateSecretEndpoint,
  testChannelEndpoint,
} from './contract.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');
const listDeliveriesApi = endpointOf<typeof listDeliveriesEndpoint>('GET /v1/deliveries');
const deleteChannelApi = endpointOf<typeof deleteChannelEndpoint>('DELETE /v1/channels/:id');
const rotateSecretApi = endpointOf<typeof rotateSecretEndpoint>('POST /v1/channels/:id/rotate-secret');
const testChannelApi = endpointOf<typeof testChannelEndpoint>('POST /v1/channels/:id/test');

type Props = {
  readonly channels: readonly Channel[];
  readonly onEdit: (channel: Channel) => void;
  readonly onSecret: (fresh: FreshSecret) => void;
};

/** The channels with their state, and for admins what can be done with them. */
export function ChannelTable({ channels, onEdit, onSecret }: Props): JSX.Element {
  const { may } = useMember();
  const columns: Column<Channel>[] = [
    ...COLUMNS,
    {
      id: 'actions',
      header: '',
      cell: (channel) => may('admin') && <Actions channel={channel} onEdit={onEdit} onSecret={onSecret} />,
    },
  ];
  return <DataTable label="Channels" columns={columns} rows={channels} rowKey={({ id }) => id} />;
}

function Actions({
  channel,
  onEdit,
  onSecret,
}: Omit<Props, 'channels'> & { readonly channel: Channel }): JSX.Element {
  const { organizationId } = useMember();
  const notify = useNotify();
  const of = { params: { id: channel.id }, query: { organizationId } };
  const test = useChange({
    failed: 'The test was not sent',
    send: async () => {
      const { ok, error, durationMs } = await send(testChannelApi, of);
      if (!ok) throw new Error(error ?? '');
      notify({ message: `The test message arrived after ${durationMs} ms` });
    },
    stale: [listChannelsApi],
  });
  const rotate = useChange({
    failed: 'The secret was not rotated',
    send: async () => onSecret({ name: channel.name, secret: (await send(rotateSecretApi, of)).secret }),
    stale: [listChannelsApi],
  });
  const remove = useChange({
    failed: 'The channel was not deleted',
    send: () => send(deleteChannelApi, of),
    stale: [listChannelsApi, listDeliveriesApi],
    done: 'The channel is deleted',
  });
  return (
    <span className="row-actions">
      <Button variant="default" size="compact-xs" loading={test.isPending} onClick={() => test.mutate()}>
        Send test
      </Button>
      <Button variant="default" size="compact-xs" onClick={() => onEdit(channel)}>
        Edit
      </Button>
      {channel.kind === 'webhook' && (
        <Confirm
          label="Rotate secret"
          title={`Rotate the secret of ${channel.name}?`}
          confirm="Rotate secret"
          danger={false}
          onConfirm={() => rotate.mutate()}
        >
          The current secret signs too for 24 hours.
        </Confirm>
      )}
      <Confirm
        label="Delete"
        title={`Delete ${channel.name}?`}
        confirm="Delete channel"
        onConfirm={() => remove.mutate()}
      >
        Its deliveries are deleted too, also those that wait.
      </Confirm>
    </span>
  );
}

const REASONS = { gone: 'Disabled: endpoint replied 410', failing: 'Disabled: all attempts failed' } as const;

function State({ enabled, disabledReason, failingSince }: Channel): JSX.Element {
  if (!enabled)
    return disabledReason === null ? (
      <span className="badge">Disabled</span>
    ) : (
      <span className="badge bad">{REASONS[disabledReason]}</span>
    );
  if (failingSince === null) return <span className="badge good">Enabled</span>;
  return <span className="badge warn">Failing, {agoText(failingSince, Date.now())}</span>;
}

const COLUMNS: readonly Column<Channel>[] = [
  {
    id: 'name',
    header: 'Name',
    wide: true,
    value: ({ name }) => name,
    cell: ({ name, target }) => (
      <>
        {name}
        <br />
        <span className="dim">{target}</span>
      </>
    ),
  },
  { id: 'kind', header: 'Kind', value: ({ kind }) => KINDS[kind], cell: ({ kind }) => KINDS[kind] },
  { id: 'state', header: 'State', cell: State },
  {
    id: 'delivered',
    header: 'Last delivery',
    value: ({ lastDeliveredAt }) => lastDeliveredAt ?? '',
    cell: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? <span className="dim">never</span> : agoText(lastDeliveredAt, Date.now()),
  },
];
