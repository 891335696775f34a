import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Budget } from '../../src/core/budgets/contract.ts';
import type { EventPage, TraceLine, TraceReply, WaterfallReply } from '../../src/core/events/contract.ts';
import type {
  CostBreakdown,
  CostsReply,
  ErrorsReply,
  OverviewReply,
} from '../../src/features/analytics/contract.ts';
import type { PerformanceReply } from '../../src/features/analytics/performance/contract.ts';
import type { Statement } from '../../src/features/costs/contract.ts';
import type { SessionReply, SessionsReply } from '../../src/features/sessions/contract.ts';
import type { UserReply, UsersReply } from '../../src/features/users/contract.ts';
import { compactText, moneyText, percentText } from '../../src/lib/figures.ts';
import { hasBrowser } from '../browser/browser.ts';
import { groupBy } from '../helpers/recount.ts';
import { openPages } from './pages.ts';
import {
  DAY,
  figuresOf,
  isCall,
  iso,
  makeTraces,
  midnight,
  nanoOf,
  type Span,
  time,
} from './random-traces.ts';
import { openRunningLedger, type RunningLedger } from './running-ledger.ts';

// Every path to a figure gives the same: the API's endpoints, the commands, the statement, budgets, and an
// independent recount of what was sent.
const NOW = Date.now();
let world: RunningLedger;
const spans = makeTraces(200, NOW);
const { get, command } = {
  get: <T>(path: string, query?: Record<string, string>): Promise<T> => world.get<T>(path, query),
  command: <T>(...args: string[]): Promise<T> => world.command<T>(...args),
};

beforeAll(async () => {
  world = await openRunningLedger();
  // Half of the spans are sealed when the others arrive late, and some are sent again.
  const order = spans.map((span, i) => ({ span, place: (i * 7_919) % spans.length }));
  const shuffled = order.sort((a, b) => a.place - b.place).map(({ span }) => span);
  const half = Math.ceil(shuffled.length / 2);
  await world.send(shuffled.slice(0, half));
  await world.seal();
  await world.send([...shuffled.slice(half), ...shuffled.slice(0, 50)]);
}, 120_000);
afterAll(() => world.close());

type Window = { readonly from: number; readonly to: number };
/** `to` is inclusive, as `end` is. */
const inWindow = ({ from, to }: Window): Span[] =>
  spans.filter((span) => time(span) >= from && time(span) <= to);
const bounds = ({ from, to }: Window): { start: string; end: string } => ({ start: iso(from), end: iso(to) });
const nano = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 1e9));

/** Thirty days ago: from the start of that UTC day. */
const THIRTY_DAYS: Window = { from: midnight(NOW) - 30 * DAY, to: NOW };
const MONTH: Window = {
  from: Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth(), 1),
  to: NOW,
};
const WHOLE_DAYS: Window = { from: midnight(NOW) - 12 * DAY, to: midnight(NOW) - 3 * DAY - 1 };
const WINDOWS: readonly (readonly [string, Window])[] = [
  ['30 days', THIRTY_DAYS],
  ['whole days', WHOLE_DAYS],
  ['odd bounds', { from: NOW - 17 * DAY - 4_321_987, to: NOW - 2 * DAY - 1_234_567 }],
  ['the month', MONTH],
  ['no calls', { from: NOW - 90 * DAY, to: NOW - 80 * DAY }],
];

test('the data has what makes figures differ', () => {
  const calls = spans.filter(isCall);
  expect(calls.some((call) => nanoOf(call) === null)).toBe(true);
  expect(calls.some((call) => call.cost_usd !== undefined)).toBe(true);
  expect(calls.some((call) => call.usage !== undefined && nanoOf(call) !== null)).toBe(true);
  const traces = [...groupBy(spans, (span) => span.trace_id).values()];
  const silent = traces.filter((own) =>
    own.some((span, i) => i > 0 && time(span) - time(own[i - 1] as Span) > DAY),
  );
  expect(silent.length).toBeGreaterThan(5);
});

describe.each(WINDOWS)('over %s', (_, window) => {
  const own = inWindow(window);
  const all = figuresOf(own);
  const query = bounds(window);

  test('costs, overview, performance, errors and events agree with the recount', async () => {
    const [costs, overview, performance, errors, events, unpriced] = await Promise.all([
      get<CostsReply>('/v1/costs', query),
      get<OverviewReply>(`/v1/projects/${world.ledger.projectId}/overview`, query),
      get<PerformanceReply>('/v1/performance', query),
      get<ErrorsReply>('/v1/errors', query),
      get<EventPage>('/v1/events', { ...query, limit: '1' }),
      get<EventPage>('/v1/events', { ...query, limit: '1', costStatus: 'unpriced' }),
    ]);
    const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number =>
      rows.reduce((sum, row) => sum + of(row), 0);
    expect({
      costs: [costs.calls, costs.unpriced, nano(costs.total), costs.tokens.input, costs.tokens.output],
      overview: [
        overview.kpis.totalRequests,
        overview.kpis.unpriced,
        nano(overview.kpis.totalCost),
        overview.kpis.inputTokens,
        overview.kpis.outputTokens,
      ],
      models: [
        sumOf(costs.byModel, ({ calls }) => calls),
        sumOf(costs.byModel, (row) => row.unpriced),
        nano(sumOf(costs.byModel, (row) => row.total_cost)),
      ],
      days: nano(sumOf(costs.dailyTrend, ({ cost }) => cost)),
      timeline: [
        sumOf(overview.timeline, ({ requests }) => requests),
        nano(sumOf(overview.timeline, ({ cost }) => cost)),
      ],
      calls: [performance.calls, errors.totalCalls, events.total],
      errors: [overview.kpis.errors, errors.totalErrors, sumOf(errors.errorGroups, ({ count }) => count)],
      unpriced: unpriced.total,
    }).toEqual({
      costs: [all.calls, all.unpriced, all.nano, all.input, all.output],
      overview: [all.calls, all.unpriced, all.nano, all.input, all.output],
      models: [all.calls, all.unpriced, all.nano],
      days: all.nano,
      timeline: [all.calls, all.nano],
      calls: [all.calls, all.calls, all.calls],
      errors: [all.errors, all.errors, all.errors],
      unpriced: all.unpriced,
    });
  });

  test('the mean cost of a model is that of its priced calls, and unknown without one', async () => {
    const { byModel } = await get<CostsReply>('/v1/costs', query);
    for (const { model, avg_cost } of byModel) {
      const of = figuresOf(own.filter((span) => isCall(span) && span.model === model));
      const priced = of.calls - of.unpriced;
      if (priced === 0) expect([model, avg_cost]).toEqual([model, null]);
      else expect(avg_cost).toBeCloseTo(of.nano / priced / 1e9, 12);
    }
  });

  test('changes compare with the same window before', async () => {
    const before = figuresOf(
      inWindow({ from: window.from - (window.to + 1 - window.from), to: window.from - 1 }),
    );
    const [costs, overview, performance] = await Promise.all([
      get<CostsReply>('/v1/costs', query),
      get<OverviewReply>(`/v1/projects/${world.ledger.projectId}/overview`, query),
      get<PerformanceReply>('/v1/performance', query),
    ]);
    expect([costs.previousTotal, overview.previous.totalCost].map(nano)).toEqual([before.nano, before.nano]);
    expect([overview.previous.totalRequests, performance.previous.calls]).toEqual([
      before.calls,
      before.calls,
    ]);
  });

  test.each(['model', 'provider', 'environment', 'userId', 'key', 'tag:team', 'day'])(
    'costs by %s add up to all',
    async (by) => {
      const { groups } = await get<CostBreakdown>('/v1/costs/breakdown', { ...query, by });
      const sums = groups.reduce(
        (sum, row) => ({
          calls: sum.calls + row.calls,
          unpriced: sum.unpriced + row.unpriced,
          nano: sum.nano + (nano(row.cost) ?? 0),
          byTime: sum.byTime + (nano(row.costs.reduce((a, b) => a + b, 0)) ?? 0),
        }),
        { calls: 0, unpriced: 0, nano: 0, byTime: 0 },
      );
      expect(sums).toEqual({ calls: all.calls, unpriced: all.unpriced, nano: all.nano, byTime: all.nano });
    },
  );

  test('the commands print what the API replies', async () => {
    const args = ['--start', query.start, '--end', query.end];
    const [costs, printed, overview, shown] = await Promise.all([
      get<CostsReply>('/v1/costs', query),
      command<CostsReply>('report', 'costs', ...args),
      get<OverviewReply>(`/v1/projects/${world.ledger.projectId}/overview`, query),
      command<OverviewReply>('report', 'overview', ...args),
    ]);
    expect(printed).toEqual(costs);
    expect(shown).toEqual(overview);
  });
});

test('thirty days are the same by default everywhere', async () => {
  const all = figuresOf(inWindow(THIRTY_DAYS));
  const [costs, overview, users, printed, age, printedUsers] = await Promise.all([
    get<CostsReply>('/v1/costs'),
    get<OverviewReply>(`/v1/projects/${world.ledger.projectId}/overview`),
    get<UsersReply>('/v1/users'),
    command<CostsReply>('report', 'costs'),
    command<CostsReply>('report', 'costs', '--start', '30d'),
    command<UsersReply>('report', 'users'),
  ]);
  expect([costs, printed, age].map(({ total, calls }) => [nano(total), calls])).toEqual(
    Array(3).fill([all.nano, all.calls]),
  );
  expect([nano(overview.kpis.totalCost), overview.kpis.totalRequests]).toEqual([all.nano, all.calls]);
  const named = figuresOf(inWindow(THIRTY_DAYS).filter((span) => span.user_id !== undefined));
  for (const { users: list } of [users, printedUsers]) {
    expect(list.reduce((sum, user) => sum + (nano(user.cost_usd) ?? 0), 0)).toBe(named.nano);
    expect(list.reduce((sum, user) => sum + user.requests, 0)).toBe(named.calls);
  }
  expect(users.window.start).toBe(iso(THIRTY_DAYS.from));
  expect(costs.dailyTrend[0]?.date).toBe(iso(THIRTY_DAYS.from).slice(0, 10));
});

test('users: list, page, costs of one user and events agree', async () => {
  const { users } = await get<UsersReply>('/v1/users', bounds(WHOLE_DAYS));
  const byUser = groupBy(
    inWindow(WHOLE_DAYS).filter((span) => span.user_id !== undefined),
    (span) => span.user_id ?? '',
  );
  expect(new Set(users.map(({ user_id }) => user_id))).toEqual(new Set(byUser.keys()));
  for (const line of users) {
    const userId = line.user_id;
    const own = figuresOf(byUser.get(userId) ?? []);
    const [{ user, days, models }, costs, events] = await Promise.all([
      get<UserReply>(`/v1/users/${userId}`, bounds(WHOLE_DAYS)),
      get<CostsReply>('/v1/costs', { ...bounds(WHOLE_DAYS), userId }),
      get<EventPage>('/v1/events', { ...bounds(WHOLE_DAYS), userId, limit: '1' }),
    ]);
    const expected = [own.calls, own.unpriced, own.nano];
    expect([line.requests, line.unpriced, nano(line.cost_usd)]).toEqual(expected);
    expect([user.requests, user.unpriced, nano(user.cost_usd)]).toEqual(expected);
    expect([costs.calls, costs.unpriced, nano(costs.total)]).toEqual(expected);
    expect(events.total).toBe(own.calls);
    expect(nano(days.reduce((sum, day) => sum + day.cost_usd, 0))).toBe(own.nano);
    expect(nano(models.reduce((sum, model) => sum + model.cost_usd, 0))).toBe(own.nano);
  }
});

/** All pages of a list. */
async function pagesOf<T>(path: string, rows: (page: Record<string, unknown>) => T[]): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: Record<string, string> = { limit: '37', ...(cursor === null ? {} : { cursor }) };
    const page: Record<string, unknown> = await get(path, query);
    found.push(...rows(page));
    if (typeof page.nextCursor !== 'string') return found;
    cursor = page.nextCursor;
  }
}

type Line = Pick<
  TraceLine,
  'llm_calls' | 'unpriced' | 'cost_usd' | 'spans' | 'input_tokens' | 'output_tokens'
>;
const lineOf = (line: Line): readonly unknown[] => [
  line.spans,
  line.llm_calls,
  line.unpriced,
  nano(line.cost_usd),
  line.input_tokens,
  line.output_tokens,
];
const expectedLine = (own: readonly Span[]): readonly unknown[] => {
  const all = figuresOf(own);
  return [own.length, all.calls, all.unpriced, all.nano, all.input, all.output];
};

test('each trace is listed once, with what the trace and its waterfall show', async () => {
  const traces = groupBy(spans, (span) => span.trace_id);
  const listed = await pagesOf('/v1/traces', ({ traces: page }) => page as TraceLine[]);
  expect(listed.map(({ trace_id }) => trace_id).sort()).toEqual([...traces.keys()].sort());
  for (const [i, line] of listed.entries()) {
    const path = `/v1/traces/${line.trace_id}`;
    const { trace } = await get<TraceReply>(path);
    const others = i % 5 === 0 ? [(await get<WaterfallReply>(`${path}/waterfall`)).trace] : [];
    const expected = [trace.start, trace.end, ...expectedLine(traces.get(line.trace_id) ?? [])];
    for (const shown of [line, trace, ...others])
      expect([shown.start, shown.end, ...lineOf(shown)]).toEqual(expected);
  }
}, 60_000);

test('each session shows in the list and by itself what its spans add up to', async () => {
  const sessions = groupBy(
    spans.filter((span) => span.session_id !== undefined),
    (span) => span.session_id ?? '',
  );
  const listed = await pagesOf('/v1/sessions', ({ sessions: page }) => page as SessionsReply['sessions']);
  expect(listed.map(({ session_id }) => session_id).sort()).toEqual([...sessions.keys()].sort());
  for (const line of listed) {
    const own = sessions.get(line.session_id) ?? [];
    const { session, traces } = await get<SessionReply>(`/v1/sessions/${line.session_id}`);
    expect([line, session].map(lineOf)).toEqual(Array(2).fill(expectedLine(own)));
    expect(nano(traces.reduce((sum, trace) => sum + trace.cost_usd, 0))).toBe(figuresOf(own).nano);
  }
});

test('the statement of a day is the day of the costs, also as the command prints it', async () => {
  const { dailyTrend } = await get<CostsReply>('/v1/costs');
  const printedDay = dailyTrend[dailyTrend.length - 4]?.date;
  for (const { date, cost } of dailyTrend) {
    const day = figuresOf(spans.filter((span) => span.timestamp.startsWith(date)));
    const statement = await get<Statement>('/v1/costs/statement', { day: date });
    const { calls, unpriced, total_nano, lines_nano, adds_up } = statement;
    expect([date, nano(cost), calls, unpriced, total_nano, lines_nano, adds_up]).toEqual([
      date,
      day.nano,
      day.calls,
      day.unpriced,
      day.nano,
      day.nano,
      true,
    ]);
    if (date === printedDay)
      expect(await command<Statement>('report', 'ledger', '--day', date)).toEqual(statement);
  }
});

test('budgets use what the costs of their period show, and forecast the same', async () => {
  const { organizationId, projectId, keyId } = world.ledger;
  const path = `/v1/budgets?organizationId=${organizationId}`;
  const subjects: readonly [Record<string, string>, (span: Span) => boolean][] = [
    [{ kind: 'organization' }, () => true],
    [{ kind: 'project', projectId }, () => true],
    [{ kind: 'key', keyId }, () => true],
    [{ kind: 'user', projectId, userId: 'user-1' }, (span) => span.user_id === 'user-1'],
    [{ kind: 'tag', tag: 'team', value: 'red' }, (span) => span.tags?.team === 'red'],
  ];
  for (const period of ['day', 'week', 'month'])
    for (const [of] of subjects) await world.post<Budget>(path, { of, period, limitUsd: 1_000 });
  const { budgets } = await get<{ budgets: Budget[] }>('/v1/budgets', { organizationId });
  expect(budgets).toHaveLength(15);
  for (const { of, status } of budgets) {
    const covers = subjects.find(([subject]) => subject.kind === of.kind)?.[1] ?? (() => false);
    const own = figuresOf(inWindow({ from: Date.parse(status.periodStart), to: NOW }).filter(covers));
    expect([of.kind, nano(status.spentUsd), status.calls, status.unpriced]).toEqual([
      of.kind,
      own.nano,
      own.calls,
      own.unpriced,
    ]);
  }
  const { mtdTotal, monthEnd } = await get<CostsReply>('/v1/costs');
  expect(nano(mtdTotal)).toBe(figuresOf(inWindow(MONTH)).nano);
  for (const { of, period, status } of budgets)
    if (period === 'month' && ['organization', 'project', 'key'].includes(of.kind))
      expect([of.kind, status.projectedUsd]).toEqual([of.kind, expect.closeTo(monthEnd?.total ?? -1, 6)]);
  const printed = await command<{ budgets: Budget[] }>('budgets', 'list');
  const spent = (list: readonly Budget[]): unknown[] => list.map(({ id, status }) => [id, status.spentUsd]);
  expect(spent(printed.budgets)).toEqual(spent(budgets));
}, 30_000);

test('the events of a project, row by row, add up to its costs', async () => {
  const rows = await pagesOf('/v1/events', ({ events }) => events as EventPage['events']);
  const byId = new Map(spans.map((span) => [span.event_id, span]));
  for (const { event_id, cost_usd, cost_status } of rows) {
    const span = byId.get(event_id) as Span;
    expect(nano(cost_usd)).toBe(nanoOf(span));
    if (span.usage !== undefined && span.cost_usd === undefined && nanoOf(span) !== null)
      expect(cost_status).toBe('estimated');
  }
  expect(rows).toHaveLength(figuresOf(spans).calls);
}, 30_000);

test.skipIf(!hasBrowser)(
  'the pages show the same by default',
  async () => {
    const pages = await openPages(world);
    const all = figuresOf(inWindow(THIRTY_DAYS));
    const month = figuresOf(inWindow(MONTH));
    const { monthEnd, forecast30d } = await get<CostsReply>('/v1/costs');
    const overview = await pages.tiles('overview');
    expect(overview).toMatchObject({
      Requests: compactText(all.calls),
      Cost: moneyText(all.nano / 1e9),
      Tokens: compactText(all.input + all.output),
      'Error rate': percentText(all.errors / all.calls),
    });
    expect(await pages.tiles('costs')).toMatchObject({
      Cost: moneyText(all.nano / 1e9),
      'Month to date': moneyText(month.nano / 1e9),
      'End of month': moneyText(monthEnd?.total ?? -1),
      'Next 30 days': moneyText(forecast30d),
      'Per priced call': moneyText(all.nano / (all.calls - all.unpriced) / 1e9),
      Tokens: compactText(all.input + all.output),
    });
    const user = figuresOf(inWindow(THIRTY_DAYS).filter(({ user_id }) => user_id === 'user-1'));
    expect(await pages.tiles('users/user-1')).toMatchObject({
      Cost: moneyText(user.nano / 1e9),
      Calls: compactText(user.calls),
    });
    await pages.close();
  },
  120_000,
);
