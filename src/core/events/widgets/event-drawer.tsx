import { ActionIcon, Drawer } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { type Scope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import type { StoredEvent } from '../contract.ts';
import type { getEventEndpoint } from '../list/contract.ts';
import { EventDetails } from './event-details.tsx';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');

type Props = {
  readonly scope: Scope<'events'> | Scope<'sessions/$sessionId'>;
  /** Those of the list, among which one can go up and down. */
  readonly events: readonly StoredEvent[];
  readonly onOpen: (event: StoredEvent) => void;
};

/** One event beside the list. It is found by its id, so that a link to it works without the list. */
export function EventDrawer({ scope, events, onOpen }: Props): JSX.Element {
  const { event: id, at } = scope.search;
  const setSearch = useSetSearch<'events'>();
  const place = events.findIndex(({ event_id }) => event_id === id);
  const listed = events[place];
  // Its time spares the server a search.
  const found = useApi(
    eventApi,
    { params: { id: id ?? '' }, query: { projectId: scope.projectId, timestamp: at } },
    { enabled: id !== undefined && listed === undefined },
  );
  // While another event is fetched, the one before is not it.
  const event = listed ?? (found.isPlaceholderData ? undefined : found.data);
  const step = (by: number): JSX.Element => {
    const other = place < 0 ? undefined : events[place + by];
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={by < 0 ? 'Previous event' : 'Next event'}
        disabled={other === undefined}
        onClick={() => other !== undefined && onOpen(other)}
        className={by < 0 ? 'flip' : undefined}
      >
        <Icon name="chevron" />
      </ActionIcon>
    );
  };
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => setSearch({ event: undefined, at: undefined }, { replace: true })}
      position="right"
      size={640}
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      padding={0}
      title={
        <span className="drawer-title">
          Event {step(-1)} {step(1)}
        </span>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ header: 'drawer-header', content: 'drawer-content' }}
    >
      {event !== undefined ? (
        <EventDetails
          event={event}
          zone={scope.zone}
          search={'filter' in scope.params ? scope.search : undefined}
        />
      ) : found.error === null ? (
        <LoadingRows rows={10} />
      ) : found.error.status === 404 ? (
        <Notice icon="search" title="This event no longer exists">
          Its time may be over: retention deletes events after the days of the plan.
        </Notice>
      ) : (
        <Failure error={found.error} retry={() => void found.refetch()} />
      )}
    </Drawer>
  );
}
