import { Button, NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { durationText } from '../../lib/figures.ts';
import type { listChannelsEndpoint } from './channels/contract.ts';
import type { Delivery, listDeliveriesEndpoint, retryDeliveryEndpoint } from './contract.ts';

const listChannelsApi = endpointOf<typeof listChannelsEndpoint>('GET /v1/channels');
const listDeliveriesApi = endpointOf<typeof listDeliveriesEndpoint>('GET /v1/deliveries');
const retryDeliveryApi = endpointOf<typeof retryDeliveryEndpoint>('POST /v1/deliveries/:id/retry');

const STATUSES = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;
const isStatus = (text: string | undefined): text is keyof typeof STATUSES =>
  text !== undefined && Object.hasOwn(STATUSES, text);

/** What was sent to channels, with every attempt. */
export function DeliveriesPage(): JSX.Element {
  const { organizationId, organizationName } = useMember();
  const { search } = useScope('deliveries');
  const setSearch = useSetSearch<'deliveries'>();
  const enabled = organizationId !== '';
  const channels = useApi(listChannelsApi, { query: { organizationId } }, { enabled }).data?.channels ?? [];
  const status = isStatus(search.status) ? search.status : undefined;
  const query = { organizationId, channelId: search.channel, status };
  const pages = usePages(listDeliveriesApi, { query }, { enabled });
  return (
    <Page
      title="Deliveries"
      detail={<span className="dim">of {organizationName}, kept for 30 days</span>}
      scoped={false}
    >
      <div className="inline-form">
        <NativeSelect
          aria-label="Channel"
          size="xs"
          data={[
            { value: '', label: 'All channels' },
            ...channels.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={search.channel ?? ''}
          onChange={({ currentTarget }) => setSearch({ channel: currentTarget.value || undefined })}
        />
        <NativeSelect
          aria-label="Status"
          size="xs"
          data={[
            { value: '', label: 'All states' },
            ...Object.entries(STATUSES).map(([value, label]) => ({ value, label })),
          ]}
          value={status ?? ''}
          onChange={({ currentTarget }) => setSearch({ status: currentTarget.value || undefined })}
        />
      </div>
      <Paged
        pages={pages}
        rowsOf={({ deliveries }) => deliveries}
        more="Older deliveries"
        empty={
          <Notice
            icon="log"
            title="No deliveries"
            action={
              search.channel === undefined &&
              status === undefined && (
                <ProjectLink page="channels">Channels and their subscriptions</ProjectLink>
              )
            }
          >
            Notifications appear here when a channel gets them.
          </Notice>
        }
      >
        {(deliveries) => <Log deliveries={deliveries} />}
      </Paged>
    </Page>
  );
}

function Log({ deliveries }: { readonly deliveries: readonly Delivery[] }): JSX.Element {
  const zone = useZone();
  const { may, organizationId } = useMember();
  const retry = useChange<Delivery>({
    failed: 'The delivery was not sent again',
    send: ({ id }) => send(retryDeliveryApi, { params: { id }, query: { organizationId } }),
    stale: [listDeliveriesApi],
    done: 'The delivery is sent again',
  });
  const columns: Column<Delivery>[] = [
    ...columnsOf(zone),
    {
      id: 'actions',
      header: '',
      cell: (delivery) =>
        may('admin') && (
          <span className="row-actions">
            <Button variant="default" size="compact-xs" onClick={() => retry.mutate(delivery)}>
              {delivery.status === 'pending' ? 'Send now' : 'Send again'}
            </Button>
          </span>
        ),
    },
  ];
  return <DataTable label="Deliveries" columns={columns} rows={deliveries} rowKey={({ id }) => id} />;
}

/** The list goes on by cursor, newest first, so that no column sorts a part of it. */
const columnsOf = (zone: Zone): Column<Delivery>[] => [
  {
    id: 'created',
    header: 'Time',
    cell: ({ createdAt }) => timeText.minute(createdAt, zone),
  },
  {
    id: 'title',
    header: 'Notification',
    wraps: true,
    cell: ({ title, type, channel }) => (
      <>
        {title}
        <br />
        <span className="dim">
          {type} to {channel}
        </span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'State',
    cell: ({ status }) => <span className={`badge ${TONES[status]}`}>{STATUSES[status]}</span>,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    cell: ({ attempts, createdAt, nextAt }) => (
      <>
        {attempts.map(({ at, status, error, durationMs }) => (
          <div key={at}>
            {timeText.minute(at, zone)}{' '}
            <span className={error === null ? 'dim' : 'bad'}>
              {error ?? (status === null ? 'sent' : `HTTP ${status}`)}, {durationText(durationMs)}
            </span>
          </div>
        ))}
        {nextAt !== null && attempts.length === 0 && Date.parse(nextAt) > Date.parse(createdAt) && (
          <div className="dim">Waits for an older one about the same</div>
        )}
        {nextAt !== null && <span className="dim">next {timeText.minute(nextAt, zone)}</span>}
      </>
    ),
  },
];
