import { Button } from '@mantine/core';
import { type JSX, useMemo } from 'react';
import type { TraceLine } from '../../core/events/contract.ts';
import type { LineSort } from '../../core/events/order/contract.ts';
import { callColumns } from '../../core/events/widgets/call-sums.tsx';
import { SessionLink } from '../../core/events/widgets/person-link.tsx';
import { ViewMenu } from '../../core/views/view-menu.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { NoMatch } from '../../dashboard/shell/filter/no-match.tsx';
import { allRows } from '../../dashboard/shell/lists/all-rows.ts';
import { ColumnsMenu } from '../../dashboard/shell/lists/columns-menu.tsx';
import { arranged, namesOf, useListLayout } from '../../dashboard/shell/lists/layout.ts';
import { orderParams, useOrder } from '../../dashboard/shell/lists/order.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import type { SearchOf } from '../../dashboard/shell/scope/search.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { Chip } from '../../dashboard/ui/chip.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { CsvButton } from '../../dashboard/ui/table/csv-button.tsx';
import { numberText } from '../../lib/figures.ts';
import { AddTraces } from './add-traces.tsx';
import type { listTracesEndpoint } from './contract.ts';
import { useChosen } from './use-chosen.tsx';

const listTracesApi = endpointOf<typeof listTracesEndpoint>('GET /v1/traces');

const PAGE_SIZE = 50;
const FILTERS = { model: 'Model', userId: 'User', sessionId: 'Session', status: 'Status' } as const;
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** Columns that are shown unless somebody chooses others. */
const USUAL = ['start', 'name', 'spans', 'calls', 'tokens', 'cost', 'duration', 'user'];

/** Traces, newest first unless sorted otherwise, with the cost of their calls. */
export function TracesPage(): JSX.Element {
  const scope = useScope('traces');
  const setSearch = useSetSearch<'traces'>();
  const filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, scope.search[name]]));
  const { model, userId, sessionId, status, sort, order: direction } = scope.search;
  const all = useMemo(
    () => columnsFor(scope.zone, { model, userId, sessionId, status, sort, order: direction }),
    [scope.zone, model, userId, sessionId, status, sort, direction],
  );
  const layout = useListLayout({ name: 'traces', columns: namesOf(all), usual: USUAL });
  const order = useOrder(scope.search, { id: 'time', desc: true });
  const params = { ...scope.params, ...filters, ...orderParams<LineSort>(order, all) };
  const pages = usePages(listTracesApi, { query: { ...params, limit: PAGE_SIZE } }, { every: scope.every });
  const columns = arranged(all, layout);
  const { chosen, column, begin, end } = useChosen();
  const { may } = useMember();
  const active = FILTER_NAMES.filter((name) => scope.search[name] !== undefined);
  return (
    <Page
      title="Traces"
      filtered={scope}
      actions={
        <>
          <CsvButton
            name="traces"
            columns={columns}
            rows={() => allRows(listTracesApi, { query: params }, ({ traces }) => traces)}
          />
          <ColumnsMenu layout={layout} />
          {may('member') && chosen === null && (
            <Button size="xs" variant="default" onClick={begin}>
              Choose traces
            </Button>
          )}
        </>
      }
      views={<ViewMenu scope={scope} page="traces" />}
    >
      {chosen !== null && (
        <div className="filters">
          <span>{numberText(chosen.size)} chosen</span>
          <AddTraces targets={[...chosen].map((traceId) => ({ traceId }))} onAdded={end} />
          <Button size="xs" variant="subtle" onClick={end}>
            Done
          </Button>
        </div>
      )}
      {active.length > 0 && (
        <div className="filters">
          {active.map((name) => (
            <Chip key={name} label={FILTERS[name]} onRemove={() => setSearch({ [name]: undefined })}>
              {scope.search[name]}
            </Chip>
          ))}
        </div>
      )}
      <Paged
        pages={pages}
        rowsOf={(page) => page.traces}
        more="More traces"
        live={scope.every !== false}
        empty={
          <NoMatch scope={scope} icon="traces" what="traces">
            {active.length > 0 ? (
              <Notice icon="traces" title="No matching traces">
                Remove a filter or choose a longer range.
              </Notice>
            ) : (
              <Notice
                icon="traces"
                title="No traces in this time"
                action={<ProjectLink page="start">Send events to this project</ProjectLink>}
              >
                Choose a longer range or another environment.
              </Notice>
            )}
          </NoMatch>
        }
      >
        {(traces) => (
          <DataTable
            label="Traces"
            phone={['choose', 'start', 'name', 'cost']}
            columns={column === null ? columns : [column, ...columns]}
            rows={traces}
            rowKey={({ trace_id }) => trace_id}
            order={order}
            layout={layout}
          />
        )}
      </Paged>
    </Page>
  );
}

/** `kept`: filters that a trace's page takes along for the way back. */
const columnsFor = (zone: Zone, kept: SearchOf<'traces'>): Column<TraceLine>[] => [
  {
    id: 'start',
    header: 'Started',
    sort: 'time',
    csv: { header: 'start', value: ({ start }) => start },
    cell: ({ start }) => timeText.second(start, zone),
  },
  {
    id: 'name',
    header: 'Name',
    wide: true,
    csv: [
      { header: 'name', value: ({ name }) => name },
      { header: 'trace_id', value: ({ trace_id }) => trace_id },
    ],
    cell: ({ name, trace_id, errors }) => (
      <span className="marked">
        <ProjectLink
          page="traces/$traceId"
          params={{ traceId: trace_id }}
          search={kept}
          title={name}
          className="row-link"
        >
          {name === '' ? trace_id.slice(0, 8) : name}
        </ProjectLink>
        {errors > 0 && <span className="badge bad badge-after">{numberText(errors)} failed</span>}
      </span>
    ),
  },
  {
    id: 'spans',
    header: 'Spans',
    sort: 'spans',
    align: 'right',
    csv: { header: 'spans', value: ({ spans }) => spans },
    cell: ({ spans }) => numberText(spans),
  },
  ...callColumns<TraceLine>(),
  {
    id: 'errors',
    header: 'Failed',
    sort: 'errors',
    align: 'right',
    csv: { header: 'errors', value: ({ errors }) => errors },
    cell: ({ errors }) => (errors === 0 ? <span className="dim">–</span> : numberText(errors)),
  },
  {
    id: 'user',
    header: 'User',
    csv: { header: 'user_id', value: ({ user_id }) => user_id },
    cell: ({ user_id }) =>
      user_id === null ? (
        <span className="dim">–</span>
      ) : (
        <ProjectLink page="traces" search={{ userId: user_id }}>
          {user_id}
        </ProjectLink>
      ),
  },
  {
    id: 'session',
    header: 'Session',
    csv: { header: 'session_id', value: ({ session_id }) => session_id },
    cell: ({ session_id }) =>
      session_id === null ? <span className="dim">–</span> : <SessionLink id={session_id} />,
  },
  {
    id: 'trace',
    header: 'Trace id',
    cell: ({ trace_id }) => <span className="mono">{trace_id}</span>,
  },
];
