import type { ComponentProps, JSX } from 'react';
import type { MetricMeasure } from '../../core/events/query/contract.ts';
import { MetricChart } from '../../core/events/widgets/metric-chart.tsx';
import { UnpricedNote } from '../../core/pricing/money.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { measureLabel } from '../../dashboard/shell/metrics/names.ts';
import { stretchSearch, useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { isOneOf } from '../../dashboard/shell/scope/search.ts';
import { type Kpi, Kpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { compactText, numberText } from '../../lib/figures.ts';
import { termOf } from '../../lib/filter-terms.ts';
import { formatInstant } from '../../lib/time.ts';
import type { getUserEndpoint, UserReply } from './contract.ts';

const userApi = endpointOf<typeof getUserEndpoint>('GET /v1/users/:userId');

const accent = 'var(--sl-chart-1)';

type Drawn = Pick<ComponentProps<typeof MetricChart>, 'shape' | 'colours'> & {
  readonly label: string;
  readonly measures: readonly MetricMeasure[];
};

/** What a user's calls can be drawn by; the first is drawn unless the address says another. */
const CHARTS = {
  cost: { label: 'Cost', shape: 'bars', measures: ['cost'] },
  requests: {
    label: 'Calls',
    shape: 'bars',
    measures: ['successes', 'errors'],
    colours: [accent, 'var(--sl-chart-bad)'],
  },
  tokens: { label: 'Tokens', shape: 'bars', measures: ['inputTokens', 'outputTokens'] },
  errorRate: { label: 'Error rate', shape: 'lines', measures: ['errorRate'] },
} as const satisfies Readonly<Record<string, Drawn>>;

/** The same number of days just before. */
const daysBefore = ({ window: { start, end } }: UserReply): { start: string; end: string } => {
  const [from, to] = [Date.parse(start), Date.parse(end) + 1];
  return { start: formatInstant(from - (to - from)), end: formatInstant(from - 1) };
};

/** A user's figures, each against the days before, and one of them day by day. */
export function UserFigures({ data }: { data: UserReply }): JSX.Element {
  const scope = useScope('users/$userId');
  const { params, search } = scope;
  const setSearch = useSetSearch<'users/$userId'>();
  const { user, window } = data;
  const before = useApi(userApi, {
    params: { userId: user.user_id },
    query: {
      ...params,
      ...daysBefore(data),
    },
  }).data?.user;
  const metric = isOneOf(search.metric, CHARTS) ? search.metric : 'cost';
  const { label, measures, ...look }: Drawn = CHARTS[metric];
  const [from, to] = [Date.parse(window.start), Date.parse(window.end)];
  return (
    <Panel flush>
      <Kpis
        kpis={toKpis(user, before)}
        selected={metric}
        onSelect={(id) => setSearch({ metric: id === 'cost' ? undefined : id }, { replace: true })}
      />
      <div className="chart-area">
        <MetricChart
          // The days that the figures above cover, in steps of the person's zone.
          scope={{ ...scope, params: { ...params, start: window.start, end: window.end } }}
          question={{ measures: [...measures], filter: termOf('user', user.user_id) }}
          {...look}
          labelOf={measureLabel}
          height={200}
          drill={(point) => ({
            userId: user.user_id,
            ...stretchSearch(Date.parse(point.time), Date.parse(point.end ?? window.end), {
              from,
              to,
              label: '',
            }),
          })}
          label={`${label} over time`}
          card={{ title: `${label} of ${user.user_id}` }}
        >
          <UnpricedNote count={user.unpriced} of={user.requests} />
        </MetricChart>
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
