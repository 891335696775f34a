import type { JSX } from 'react';
import { EventChart } from '../../core/events/widgets/event-chart.tsx';
import { UnpricedNote } from '../../core/pricing/money.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { bucketSearch, useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { isOneOf, type WindowSearch } from '../../dashboard/shell/scope/search.ts';
import type { Series } from '../../dashboard/ui/charts/chart-data.ts';
import type { FigureKind } from '../../dashboard/ui/format.ts';
import { type Kpi, Kpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { compactText, numberText } from '../../lib/figures.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { getUserEndpoint, UserReply } from './contract.ts';

const userApi = endpointOf<typeof getUserEndpoint>('GET /v1/users/:userId');

type Day = Omit<UserReply['days'][number], 'date'>;
type Chart = {
  readonly label: string;
  readonly kind: FigureKind;
  readonly shape: 'bars' | 'lines';
  readonly series: readonly Series[];
  readonly of: (day: Day) => Readonly<Record<string, number | null>>;
};

const accent = 'var(--sl-chart-1)';
const one = (label: string): Series[] => [{ name: 'value', label, color: accent }];

/** What a user's days can be drawn by; the first is drawn unless the address says another. */
const CHARTS = {
  cost: {
    label: 'Cost',
    kind: 'money',
    shape: 'bars',
    series: one('Cost'),
    of: ({ cost_usd }) => ({ value: cost_usd }),
  },
  requests: {
    label: 'Calls',
    kind: 'count',
    shape: 'bars',
    series: [
      { name: 'good', label: 'Successful', color: accent },
      { name: 'errors', label: 'Failed', color: 'var(--sl-chart-bad)' },
    ],
    of: ({ requests, errors }) => ({ good: requests - errors, errors }),
  },
  tokens: {
    label: 'Tokens',
    kind: 'count',
    shape: 'bars',
    series: [
      { name: 'input', label: 'Input', color: accent },
      { name: 'output', label: 'Output', color: 'var(--sl-chart-2)' },
    ],
    of: ({ input_tokens, output_tokens }) => ({ input: input_tokens, output: output_tokens }),
  },
  errorRate: {
    label: 'Error rate',
    kind: 'fraction',
    shape: 'lines',
    series: one('Error rate'),
    of: ({ requests, errors }) => ({ value: requests === 0 ? null : errors / requests }),
  },
} as const satisfies Readonly<Record<string, Chart>>;

const NOTHING: Day = {
  requests: 0,
  errors: 0,
  error_rate: 0,
  cost_usd: 0,
  unpriced: 0,
  input_tokens: 0,
  output_tokens: 0,
  events: 0,
};

/** The days of a window one by one, those without an event too. */
function everyDay({ days, window }: UserReply): { time: string; day: Day }[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const first = Date.parse(window.start);
  const count = Math.round((Date.parse(window.end) + 1 - first) / DAY_MS);
  return Array.from({ length: count }, (_, i) => {
    const time = formatInstant(first + i * DAY_MS);
    return { time, day: known.get(time.slice(0, 10)) ?? NOTHING };
  });
}

/** A day that was counted: the whole of it, whatever the range of the page begins and ends with. */
const daySearch = (time: string, { window: { start, end } }: UserReply): WindowSearch =>
  bucketSearch(time, 'day', { from: Date.parse(start), to: Date.parse(end), label: '' });

/** The same number of days just before. */
const daysBefore = ({ window: { start, end } }: UserReply): { start: string; end: string } => {
  const [from, to] = [Date.parse(start), Date.parse(end) + 1];
  return { start: formatInstant(from - (to - from)), end: formatInstant(from - 1) };
};

/** A user's figures, each against the days before, and one of them day by day. */
export function UserFigures({ data }: { data: UserReply }): JSX.Element {
  const { params, search } = useScope('users/$userId');
  const setSearch = useSetSearch<'users/$userId'>();
  const { user } = data;
  const before = useApi(userApi, {
    params: { userId: user.user_id },
    query: {
      ...params,
      ...daysBefore(data),
    },
  }).data?.user;
  const metric = isOneOf(search.metric, CHARTS) ? search.metric : 'cost';
  const chart: Chart = CHARTS[metric];
  return (
    <Panel flush>
      <Kpis
        kpis={toKpis(user, before)}
        selected={metric}
        onSelect={(id) => setSearch({ metric: id === 'cost' ? undefined : id }, { replace: true })}
      />
      <div className="chart-area">
        <EventChart
          points={everyDay(data).map(({ time, day }) => ({ time, ...chart.of(day) }))}
          series={chart.series}
          kind={chart.kind}
          bucket="day"
          shape={chart.shape}
          height={200}
          drill={({ time }) => ({ userId: user.user_id, ...daySearch(time, data) })}
          label={`${chart.label} by day`}
        >
          <UnpricedNote count={user.unpriced} of={user.requests} />
        </EventChart>
      </div>
    </Panel>
  );
}

function toKpis(user: UserReply['user'], before: UserReply['user'] | undefined): Kpi[] {
  // A user's first days have nothing before them.
  const then = before !== undefined && before.requests > 0 ? before : undefined;
  const none = before === undefined || then !== undefined ? {} : { note: <span className="dim">new</span> };
  return [
    {
      id: 'cost',
      label: 'Cost',
      kind: 'money',
      value: user.cost_usd,
      previous: then?.cost_usd,
      rising: 'bad',
      missing: user.requests > 0 && user.unpriced === user.requests,
      ...none,
    },
    {
      id: 'requests',
      label: 'Calls',
      kind: 'count',
      value: user.requests,
      previous: then?.requests,
    },
    {
      id: 'tokens',
      label: 'Tokens',
      kind: 'count',
      value: user.input_tokens + user.output_tokens,
      note: (
        <span className="dim">{`${compactText(user.input_tokens)} in, ${compactText(user.output_tokens)} out`}</span>
      ),
    },
    {
      id: 'errorRate',
      label: 'Error rate',
      kind: 'fraction',
      value: user.error_rate,
      previous: then?.error_rate,
      rising: 'bad',
      missing: user.requests === 0,
      ...(user.errors === 0
        ? {}
        : { note: <span className="dim">{`${numberText(user.errors)} failed`}</span> }),
    },
  ];
}
