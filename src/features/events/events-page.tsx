import { Button, Menu } from '@mantine/core';
import { type JSX, useMemo } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import type { listEventsEndpoint } from '../../core/events/list/contract.ts';
import type { EventSort } from '../../core/events/order/contract.ts';
import { EventDrawer } from '../../core/events/widgets/event-drawer.tsx';
import { type ListParams, WhichPart } from '../../core/events/widgets/which-part.tsx';
import { ViewMenu } from '../../core/views/view-menu.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { ColumnsMenu } from '../../dashboard/shell/lists/columns-menu.tsx';
import { arranged, useListLayout } from '../../dashboard/shell/lists/layout.ts';
import { orderParams, useOrder } from '../../dashboard/shell/lists/order.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { isLong, usePages } from '../../dashboard/shell/use-pages.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Failure, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import { EVENT_COLUMNS, USUAL_COLUMNS } from './event-columns.tsx';
import css from './event-table.module.css';
import { EventTable } from './event-table.tsx';
import { FILTER_NAMES, FilterChips, FilterForm } from './filter-bar.tsx';
import { EventViewText } from './kept-text.tsx';
import { SelectionBar } from './selection/selection-bar.tsx';
import { useSelection } from './selection/use-selection.ts';

const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

const PAGE_SIZE = 100;

/** Every event that was stored, newest first unless sorted otherwise. */
export function EventsPage(): JSX.Element {
  const scope = useScope('events');
  const { search, zone, every } = scope;
  const setSearch = useSetSearch<'events'>();
  const layout = useListLayout({
    name: 'events',
    columns: EVENT_COLUMNS,
    usual: USUAL_COLUMNS,
    given: search.columns?.split(','),
    onShown: (ids) => setSearch({ columns: ids?.join() }, { replace: true }),
  });
  const shownColumns = layout.shown.join();
  const columns = useMemo(() => arranged(EVENT_COLUMNS, { shown: shownColumns.split(',') }), [shownColumns]);
  const order = useOrder(search, { id: 'time', desc: true });
  const filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, search[name]]));
  const params = { ...scope.params, ...filters, ...orderParams<EventSort>(order, EVENT_COLUMNS) };
  const pages = usePages(listEventsApi, { query: { ...params, limit: PAGE_SIZE } }, { every });
  const events = useMemo(() => pages.data?.pages.flatMap((page) => page.events) ?? [], [pages.data]);
  const selection = useSelection(events, JSON.stringify(params));
  const total = pages.data?.pages[0]?.total;
  const open = (event: Pick<StoredEvent, 'event_id' | 'timestamp'>): void =>
    setSearch({ event: event.event_id, at: event.timestamp }, { replace: search.event !== undefined });
  const more = async (): Promise<StoredEvent | undefined> => {
    if (!pages.hasNextPage) return undefined;
    const { data } = await pages.fetchNextPage();
    return data?.pages.flatMap((page) => page.events)[events.length];
  };
  return (
    <Page
      title="Events"
      detail={
        total === undefined ? undefined : (
          <span className="dim num" role="status">
            {numberText(total)}
            {every !== false && isLong(pages.data) && ', live updates pause while older events are loaded'}
          </span>
        )
      }
      actions={
        <>
          <ColumnsMenu layout={layout} />
          <ExportMenu params={params} fields={columns.flatMap(({ field }) => field)} />
        </>
      }
      filtered={scope}
      views={
        <>
          <ViewMenu scope={scope} page="events" shown={EventViewText} />
          <FilterForm scope={scope} />
        </>
      }
    >
      <FilterChips scope={scope} />
      <SelectionBar
        selection={selection}
        loaded={events.length}
        fields={columns.flatMap(({ field }) => field)}
      />
      <div className={`panel ${css.eventsPanel} ${pages.isPlaceholderData ? 'stale' : ''}`}>
        {pages.error !== null && pages.data === undefined ? (
          <Failure error={pages.error} retry={() => void pages.refetch()} />
        ) : pages.data === undefined ? (
          <LoadingRows rows={16} height={32} />
        ) : events.length === 0 ? (
          <Nothing params={params} />
        ) : (
          <EventTable
            selection={selection}
            events={events}
            total={total ?? events.length}
            columns={columns}
            zone={zone}
            open={search.event}
            order={order}
            layout={layout}
            pages={pages}
            search={search}
          />
        )}
      </div>
      <EventDrawer scope={scope} events={events} onOpen={open} more={more} />
    </Page>
  );
}

function Nothing({ params }: { params: ListParams }): JSX.Element {
  const isFiltered = ['filter', ...FILTER_NAMES].some((name) => params[name] !== undefined);
  if (isFiltered)
    return (
      <Notice icon="events" title="No matching events">
        <WhichPart params={params} />
      </Notice>
    );
  return (
    <Notice
      icon="events"
      title="No events in this time"
      action={<ProjectLink page="start">Send events to this project</ProjectLink>}
    >
      Choose a longer range or another environment.
    </Notice>
  );
}

type ExportProps = {
  readonly params: Readonly<Record<string, string | number | undefined>>;
  /** Of the columns that are shown, in order. */
  readonly fields: readonly string[];
};

/** All events that match, as a file: the browser takes them as they come. */
function ExportMenu({ params, fields }: ExportProps): JSX.Element {
  const href = (format: string, more: { readonly fields?: string } = {}): string => {
    const given = Object.entries({ ...params, ...more, format }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return `/v1/events/export?${new URLSearchParams(given)}`;
  };
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={href('csv', { fields: fields.join() })} download>
          CSV, the columns shown
        </Menu.Item>
        <Menu.Item component="a" href={href('csv')} download>
          CSV, all columns
        </Menu.Item>
        <Menu.Item component="a" href={href('ndjson')} download>
          NDJSON, all fields
        </Menu.Item>
        <Menu.Item component="a" href={href('parquet')} download>
          Parquet, all fields
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
