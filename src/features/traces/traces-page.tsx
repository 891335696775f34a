import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { TraceLine, TracePage } from '../../core/events/contract.ts';
import { type ApiError, call } from '../../dashboard/api.ts';
import { timeText } from '../../dashboard/format.ts';
import { type Scope, useScope, useSetSearch } from '../../dashboard/scope.ts';
import { Chip } from '../../dashboard/ui/chip.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { Money } from '../../dashboard/ui/marks.tsx';
import { Page, Panel } from '../../dashboard/ui/page.tsx';
import { ProjectLink } from '../../dashboard/ui/project-link.tsx';
import { Failure, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { compactText, durationText, numberText } from '../../lib/figures.ts';

const PAGE_SIZE = 50;
const FILTERS = { model: 'Model', userId: 'User', sessionId: 'Session', status: 'Status' } as const;
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** Traces, newest first: the calls that belong together, with what they cost together. */
export function TracesPage(): JSX.Element {
  const scope = useScope();
  const setSearch = useSetSearch();
  const filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, scope.search[name]]));
  const params = { ...scope.params, ...filters };
  const pages = useInfiniteQuery<TracePage, ApiError, { pages: TracePage[] }, unknown[], string | null>({
    queryKey: ['/v1/traces', params],
    queryFn: ({ pageParam, signal }) =>
      call<TracePage>('/v1/traces', {
        params: { ...params, limit: PAGE_SIZE, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: scope.every,
  });
  const traces = pages.data?.pages.flatMap((page) => page.traces) ?? [];
  const active = FILTER_NAMES.filter((name) => scope.search[name] !== undefined);
  return (
    <Page title="Traces">
      {active.length > 0 && (
        <div className="filters">
          {active.map((name) => (
            <Chip key={name} label={FILTERS[name]} onRemove={() => setSearch({ [name]: undefined })}>
              {scope.search[name]}
            </Chip>
          ))}
        </div>
      )}
      <Panel flush className={pages.isPlaceholderData ? 'stale' : ''}>
        {pages.error !== null && pages.data === undefined ? (
          <Failure error={pages.error} retry={() => void pages.refetch()} />
        ) : pages.data === undefined ? (
          <LoadingRows rows={14} />
        ) : traces.length === 0 && !pages.hasNextPage ? (
          <Notice icon="traces" title="No traces in this time">
            Choose a longer range, or another environment.
          </Notice>
        ) : (
          <DataTable
            label="Traces"
            columns={columnsFor(scope)}
            rows={traces}
            rowKey={({ trace_id }) => trace_id}
          />
        )}
      </Panel>
      {pages.hasNextPage && (
        <Button
          variant="default"
          className="more"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          Older traces
        </Button>
      )}
    </Page>
  );
}

const columnsFor = ({ zone }: Scope): Column<TraceLine>[] => [
  {
    id: 'start',
    header: 'Started',
    cell: ({ start, trace_id }) => (
      <ProjectLink page={`traces/${encodeURIComponent(trace_id)}`}>
        {timeText.second(start, zone)}
      </ProjectLink>
    ),
  },
  {
    id: 'name',
    header: 'Name',
    wide: true,
    cell: ({ name, trace_id, errors }) => (
      <>
        <ProjectLink page={`traces/${encodeURIComponent(trace_id)}`} title={name}>
          {name}
        </ProjectLink>
        {errors > 0 && <span className="badge bad badge-after">{numberText(errors)} failed</span>}
      </>
    ),
  },
  { id: 'spans', header: 'Spans', align: 'right', cell: ({ spans }) => numberText(spans) },
  { id: 'calls', header: 'Calls', align: 'right', cell: ({ llm_calls }) => numberText(llm_calls) },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'right',
    cell: ({ input_tokens, output_tokens }) => compactText(input_tokens + output_tokens),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    cell: ({ cost_usd, unpriced, llm_calls }) =>
      llm_calls === 0 ? (
        <span className="dim">–</span>
      ) : (
        <Money usd={cost_usd} unpriced={unpriced} calls={llm_calls} />
      ),
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    cell: ({ duration_ms }) => durationText(duration_ms),
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ user_id }) =>
      user_id === null ? (
        <span className="dim">–</span>
      ) : (
        <ProjectLink page="traces" search={{ userId: user_id }}>
          {user_id}
        </ProjectLink>
      ),
  },
];
