import type { UsersReply } from '../../src/features/users/contract.ts';
import { bar, knownCost, number } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { defineReport, type ReadReport } from './define-report.ts';
import { compact, moneyColumn, percent, tinted } from './figures.ts';
import { section } from './pieces.ts';

type User = UsersReply['users'][number];

/** A page of `GET /v1/users`, the first one by default. */
const loadRead = async (): Promise<ReadReport<UsersReply>> => {
  const [{ readUsers, wholeDays }, { DEFAULT_PAGE_SIZE }] = await Promise.all([
    import('../../src/features/users/index.ts'),
    import('../../src/core/events/contract.ts'),
  ]);
  return (ctx, scope, { filters, window, now }, page) =>
    readUsers(ctx, scope, {
      window: wholeDays({ start: window.from, end: window.to - 1 }, now),
      filters,
      search: '',
      sort: 'cost',
      desc: true,
      cursor: page?.cursor ?? null,
      limit: page?.limit ?? DEFAULT_PAGE_SIZE,
    });
};

export const reportUsers = defineReport<UsersReply, UsersReply, User>({
  name: 'users',
  summary: 'The users with the highest cost, with their calls and errors',
  load: loadRead,
  ask: async (server, query) =>
    server.get((await import('../../src/features/users/contract.ts')).listUsersEndpoint, { query }),
  calls: ({ total }) => total,
  see: (doc) => doc,
  render: (output, { users, total }) => {
    const cost = moneyColumn(users.map(({ cost_usd }) => cost_usd));
    const top = users[0]?.cost_usd ?? 0;
    const columns: Column<User>[] = [
      { header: 'user', value: ({ user_id }) => user_id },
      {
        header: 'cost',
        value: ({ cost_usd, unpriced, requests }) => knownCost(cost(cost_usd), { unpriced, calls: requests }),
      },
      { header: 'calls', value: ({ requests }) => requests },
      { header: 'errors', value: ({ error_rate }) => percent(error_rate) },
      { header: 'tokens', value: ({ input_tokens, output_tokens }) => compact(input_tokens + output_tokens) },
      {
        header: 'last seen',
        value: ({ last_seen }) => tinted(shortTime(Date.parse(last_seen)), 'dim'),
        fixed: true,
      },
      {
        header: '',
        value: ({ cost_usd }) => bar(cost_usd, top, output.columns < 100 ? 6 : 20),
        fixed: true,
        spare: true,
      },
    ];
    const rest = total > users.length ? `the first ${users.length} of ${number(total).text}, ` : '';
    section(output, 'By cost', `${rest}whole days, UTC`);
    output.table(columns, users);
  },
  csv: {
    columns: [
      { header: 'user_id', value: ({ user_id }) => user_id },
      { header: 'requests', value: ({ requests }) => requests },
      { header: 'errors', value: ({ errors }) => errors },
      {
        header: 'cost_usd',
        value: ({ cost_usd, unpriced, requests }) => (unpriced > 0 && unpriced >= requests ? null : cost_usd),
      },
      { header: 'unpriced', value: ({ unpriced }) => unpriced },
      { header: 'input_tokens', value: ({ input_tokens }) => input_tokens },
      { header: 'output_tokens', value: ({ output_tokens }) => output_tokens },
      { header: 'first_seen', value: ({ first_seen }) => first_seen },
      { header: 'last_seen', value: ({ last_seen }) => last_seen },
    ],
    rows: ({ users }) => users,
    next: ({ nextCursor }) => nextCursor,
  },
});
