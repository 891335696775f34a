import type { JSX } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import type { listEventsEndpoint } from '../../core/events/list/contract.ts';
import { EventCost } from '../../core/events/widgets/event-cost.tsx';
import { StatusBadge } from '../../core/events/widgets/status-badge.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { durationText, numberText } from '../../lib/figures.ts';
import type { UserReply } from './contract.ts';
import { windowSearch } from './window-search.ts';

const listEventsApi = endpointOf<typeof listEventsEndpoint>('GET /v1/events');

const SHOWN = 10;
const none: JSX.Element = <span className="dim">–</span>;

type Props = { readonly userId: string; readonly window: UserReply['window'] };

/** The latest calls made for a user in the days that were counted. */
export function RecentEvents({ userId, window }: Props): JSX.Element {
  const { params, zone, every } = useScope();
  const events = useApi(listEventsApi, { query: { ...params, ...window, userId, limit: SHOWN } }, { every });
  const search = { userId, ...windowSearch(window) };
  return (
    <Panel
      title="Recent calls"
      actions={
        <ProjectLink page="events" search={search}>
          All events
        </ProjectLink>
      }
      flush
    >
      <Loaded of={events} loading={<LoadingRows rows={5} />}>
        {(data) =>
          data.events.length === 0 ? (
            <Notice title="No calls in this time" />
          ) : (
            <DataTable
              label="Recent calls"
              phone={['time', 'model', 'cost']}
              columns={columnsFor(search, zone)}
              rows={data.events}
              rowKey={({ event_id }) => event_id}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columnsFor = (search: EventsSearch, zone: Zone): Column<StoredEvent>[] => [
  {
    id: 'time',
    header: 'Time',
    cell: ({ event_id, timestamp }) => (
      <ProjectLink page="events" search={{ ...search, event: event_id, at: timestamp }} className="row-link">
        {timeText.second(timestamp, zone)}
      </ProjectLink>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'model',
    header: 'Model',
    wide: true,
    cell: ({ model, name, operation }) => model ?? name ?? operation,
  },
  { id: 'input', header: 'Input', align: 'right', cell: ({ input_tokens }) => numberText(input_tokens) },
  { id: 'output', header: 'Output', align: 'right', cell: ({ output_tokens }) => numberText(output_tokens) },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    amount: ({ cost_usd }) => cost_usd ?? 0,
    cell: (event, write) => <EventCost event={event} write={write} />,
  },
  {
    id: 'latency',
    header: 'Latency',
    align: 'right',
    cell: ({ latency_ms }) => (latency_ms === null ? none : durationText(latency_ms)),
  },
];
