import { type JSX, useMemo } from 'react';
import type { LineSort } from '../../core/events/order/contract.ts';
import { ViewMenu } from '../../core/views/view-menu.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { NoMatch } from '../../dashboard/shell/filter/no-match.tsx';
import { allRows } from '../../dashboard/shell/lists/all-rows.ts';
import { ColumnsMenu } from '../../dashboard/shell/lists/columns-menu.tsx';
import { arranged, namesOf, useListLayout } from '../../dashboard/shell/lists/layout.ts';
import { orderParams, useOrder } from '../../dashboard/shell/lists/order.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { Chip } from '../../dashboard/ui/chip.tsx';
import { DataTable } from '../../dashboard/ui/data-table.tsx';
import { Notice } from '../../dashboard/ui/states.tsx';
import { CsvButton } from '../../dashboard/ui/table/csv-button.tsx';
import type { listSessionsEndpoint } from './contract.ts';
import { sessionColumns, USUAL_COLUMNS } from './session-columns.tsx';

const listSessionsApi = endpointOf<typeof listSessionsEndpoint>('GET /v1/sessions');

/** Conversations: the traces of one session together, newest first unless sorted otherwise. */
export function SessionsPage(): JSX.Element {
  const scope = useScope('sessions');
  const { params, search, zone, every } = scope;
  const setSearch = useSetSearch<'sessions'>();
  const { userId, sort, order: direction } = search;
  const all = useMemo(
    () => sessionColumns(zone, { userId, sort, order: direction }),
    [zone, userId, sort, direction],
  );
  const layout = useListLayout({ name: 'sessions', columns: namesOf(all), usual: USUAL_COLUMNS });
  const order = useOrder(search, { id: 'time', desc: true });
  const query = { ...params, userId: search.userId, ...orderParams<LineSort>(order, all) };
  const pages = usePages(listSessionsApi, { query }, { every });
  const columns = arranged(all, layout);
  return (
    <Page
      title="Sessions"
      filtered={scope}
      actions={
        <>
          <CsvButton
            name="sessions"
            columns={columns}
            rows={() => allRows(listSessionsApi, { query }, ({ sessions }) => sessions)}
          />
          <ColumnsMenu layout={layout} />
        </>
      }
      views={<ViewMenu scope={scope} page="sessions" />}
    >
      {search.userId !== undefined && (
        <div className="filters">
          <Chip label="User" onRemove={() => setSearch({ userId: undefined })}>
            {search.userId}
          </Chip>
        </div>
      )}
      <Paged
        pages={pages}
        rowsOf={(page) => page.sessions}
        more="More sessions"
        live={every !== false}
        empty={
          <NoMatch scope={scope} icon="sessions" what="sessions">
            {search.userId !== undefined ? (
              <Notice icon="sessions" title="This user has no sessions in this time">
                Remove the filter or choose a longer range.
              </Notice>
            ) : (
              <Notice icon="sessions" title="No sessions in this time">
                Send a <code>session_id</code> with the events of a conversation.
              </Notice>
            )}
          </NoMatch>
        }
      >
        {(sessions) => (
          <DataTable
            label="Sessions"
            phone={['start', 'session', 'cost']}
            columns={columns}
            rows={sessions}
            rowKey={({ session_id }) => session_id}
            order={order}
            layout={layout}
          />
        )}
      </Paged>
    </Page>
  );
}
