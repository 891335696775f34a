import { ActionIcon, Drawer } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type JSX, useState } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { type Scope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { Icon } from '../../../dashboard/ui/icons.tsx';
import { Failure, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { takeFocus } from '../../../dashboard/ui/use-return-focus.ts';
import type { StoredEvent } from '../contract.ts';
import type { EventPlace, getEventEndpoint } from '../list/contract.ts';
import { EventDetails } from './event-details.tsx';

const eventApi = endpointOf<typeof getEventEndpoint>('GET /v1/events/:id');

type Props = {
  readonly scope: Scope<'events'> | Scope<'sessions/$sessionId'>;
  /** Those of the list, among which one can go up and down. */
  readonly events: readonly StoredEvent[];
  readonly onOpen: (event: EventPlace) => void;
  /** Loads the events after those of the list; gives the first of them, if there is one. */
  readonly more?: () => Promise<StoredEvent | undefined>;
};

/** One event beside the list. It is found by its id, so that a link to it works without the list. */
export function EventDrawer({ scope, events, onOpen, more }: Props): JSX.Element {
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
  const [busy, setBusy] = useState(false);
  const isLast = place === events.length - 1;
  const canStep = (by: number): boolean =>
    place >= 0 && (events[place + by] !== undefined || (by > 0 && isLast && more !== undefined));
  const go = async (by: number): Promise<void> => {
    if (id === undefined || busy || !canStep(by)) return;
    const other = events[place + by];
    if (other !== undefined) return onOpen(other);
    setBusy(true);
    const next = await more?.().finally(() => setBusy(false));
    if (next !== undefined) onOpen(next);
  };
  useHotkeys([
    ['j', () => void go(1)],
    ['k', () => void go(-1)],
  ]);
  const step = (by: number): JSX.Element => {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={by < 0 ? 'Previous event' : 'Next event'}
        title={by < 0 ? 'Previous event (k)' : 'Next event (j)'}
        disabled={!canStep(by)}
        onClick={() => void go(by)}
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
        // So that what is opened from the keyboard is read from it, too: the drawer is far from the list.
        <span className="drawer-title" tabIndex={-1} ref={takeFocus}>
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
          onOpen={onOpen}
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
