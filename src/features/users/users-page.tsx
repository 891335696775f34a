import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type JSX, useMemo } from 'react';
import { UserLink } from '../../core/events/widgets/person-link.tsx';
import { costColumn } from '../../core/pricing/money.tsx';
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
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { CsvButton } from '../../dashboard/ui/table/csv-button.tsx';
import { compactText, numberText, percentText } from '../../lib/figures.ts';
import type { listUsersEndpoint, USER_SORTS, UsersReply } from './contract.ts';

const listUsersApi = endpointOf<typeof listUsersEndpoint>('GET /v1/users');

type User = UsersReply['users'][number];

type Sort = (typeof USER_SORTS)[number];

/** End users with what their calls used. */
export function UsersPage(): JSX.Element {
  const scope = useScope('users');
  const { params, search, zone, every } = scope;
  const setSearch = useSetSearch<'users'>();
  const all = useMemo(() => columnsFor(zone), [zone]);
  const layout = useListLayout({ name: 'users', columns: namesOf(all) });
  const order = useOrder(search, { id: 'cost', desc: true });
  const query = { ...params, search: search.q, ...orderParams<Sort>(order, all) };
  const pages = usePages(listUsersApi, { query }, { every });
  const columns = arranged(all, layout);
  const total = pages.data?.pages[0]?.total;
  const find = useDebouncedCallback(
    (text: string) => setSearch({ q: text.trim() || undefined }, { replace: true }),
    300,
  );
  return (
    <Page
      title="Users"
      filtered={scope}
      actions={
        <>
          <CsvButton
            name="users"
            columns={columns}
            rows={() => allRows(listUsersApi, { query }, ({ users }) => users)}
          />
          <ColumnsMenu layout={layout} />
        </>
      }
      views={<ViewMenu scope={scope} page="users" />}
      detail={total === undefined ? undefined : <span className="dim num">{numberText(total)}</span>}
    >
      <div className="inline-form">
        <TextInput
          size="xs"
          aria-label="Start of the id"
          placeholder="Id starts with"
          defaultValue={search.q ?? ''}
          onChange={(event) => find(event.currentTarget.value)}
        />
        <span className="dim">Whole days, UTC</span>
      </div>
      <Paged
        pages={pages}
        rowsOf={(page) => page.users}
        more="More users"
        live={every !== false}
        empty={
          <NoMatch scope={scope} icon="users" what="users">
            {search.q !== undefined ? (
              <Notice icon="users" title="No matching user in this time">
                The search is case-sensitive. Enter fewer letters or choose a longer range.
              </Notice>
            ) : (
              <Notice icon="users" title="No users in this time">
                Send a <code>user_id</code> with your events to see figures by user.
              </Notice>
            )}
          </NoMatch>
        }
      >
        {(users) => (
          <DataTable
            label="Users"
            columns={columns}
            rows={users}
            rowKey={({ user_id }) => user_id}
            order={order}
            layout={layout}
          />
        )}
      </Paged>
    </Page>
  );
}

const columnsFor = (zone: Zone): Column<User>[] => [
  {
    id: 'user',
    header: 'User',
    wide: true,
    csv: { header: 'user_id', value: ({ user_id }) => user_id },
    cell: ({ user_id }) => <UserLink id={user_id} className="row-link" />,
  },
  {
    id: 'calls',
    header: 'Calls',
    sort: 'requests',
    align: 'right',
    csv: { header: 'calls', value: ({ requests }) => requests },
    cell: ({ requests }) => numberText(requests),
  },
  costColumn(({ cost_usd, unpriced, requests }) => ({ usd: cost_usd, unpriced, calls: requests }), 'cost'),
  {
    id: 'failed',
    header: 'Failed',
    sort: 'errorRate',
    align: 'right',
    csv: { header: 'failed_calls', value: ({ errors }) => errors },
    cell: ({ error_rate, errors }) =>
      errors === 0 ? (
        <span className="dim">0.0%</span>
      ) : (
        <span title={`${numberText(errors)} calls`}>{percentText(error_rate)}</span>
      ),
  },
  {
    id: 'input',
    header: 'Input',
    sort: 'input',
    align: 'right',
    csv: { header: 'input_tokens', value: ({ input_tokens }) => input_tokens },
    cell: ({ input_tokens }) => compactText(input_tokens),
  },
  {
    id: 'output',
    header: 'Output',
    sort: 'output',
    align: 'right',
    csv: { header: 'output_tokens', value: ({ output_tokens }) => output_tokens },
    cell: ({ output_tokens }) => compactText(output_tokens),
  },
  {
    id: 'first',
    header: 'First seen',
    csv: { header: 'first_seen', value: ({ first_seen }) => first_seen },
    cell: ({ first_seen }) => timeText.minute(first_seen, zone),
  },
  {
    id: 'last',
    header: 'Last seen',
    sort: 'lastSeen',
    csv: { header: 'last_seen', value: ({ last_seen }) => last_seen },
    cell: ({ last_seen }) => timeText.minute(last_seen, zone),
  },
];
