import { NativeSelect } from '@mantine/core';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { measureLabel } from '../../dashboard/shell/metrics/names.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { isScoreMeasure } from '../../lib/scores/score-measures.ts';
import type { RootCause, rootCauseEndpoint } from './contract.ts';
import { RootCauseView } from './root-cause-view.tsx';

const rootCauseApi = endpointOf<typeof rootCauseEndpoint>('GET /v1/root-cause');

type Measure = RootCause['measure'];

/** The measures that the page offers. */
const MEASURES: Readonly<Record<string, string>> = {
  cost: 'Cost',
  requests: 'Calls',
  errors: 'Errors',
  errorRate: 'Error rate',
  timeoutRate: 'Timeout rate',
  rateLimited: 'Rate limits',
  latencyAvg: 'Average latency',
  latencyP50: 'Median latency',
  latencyP95: 'p95 latency',
  latencyP99: 'p99 latency',
  ttftAvg: 'Time to first token',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  cacheRate: 'Cache rate',
  tokensPerSec: 'Output speed',
};

const measureOf = (text: string | undefined): Measure =>
  text !== undefined && (Object.hasOwn(MEASURES, text) || isScoreMeasure(text)) ? (text as Measure) : 'cost';

/** The measures that the page offers, and the one of scores that the address asks for. */
const offered = (measure: Measure): { value: string; label: string }[] =>
  Object.entries({ [measure]: measureLabel(measure), ...MEASURES }).map(([value, label]) => ({
    value,
    label,
  }));

/** What explains the change of a measure in the range, compared with the range of equal length before it. */
export function RootCausePage(): JSX.Element {
  const scope = useScope('root-cause');
  const setSearch = useSetSearch<'root-cause'>();
  const measure = measureOf(scope.search.measure);
  const doc = useApi(rootCauseApi, { query: { ...scope.params, measure } });
  return (
    <Page title="Explain this change" filtered={scope}>
      <div className="stack">
        <div className="inline-form">
          <NativeSelect
            aria-label="Measure"
            size="xs"
            data={offered(measure)}
            value={measure}
            onChange={({ currentTarget: { value } }) => setSearch({ measure: value })}
          />
          <span className="dim">compared with the range of equal length before it</span>
        </div>
        <Loaded of={doc} loading={<LoadingRows rows={6} />}>
          {(data) => <RootCauseView doc={data} />}
        </Loaded>
      </div>
    </Page>
  );
}
