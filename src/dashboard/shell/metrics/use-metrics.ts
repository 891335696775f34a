import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { MetricsDocument, MetricsReply } from '../../../core/events/query/contract.ts';
import type { metricsQueryEndpoint } from '../../../features/metrics/contract.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { send } from '../api.ts';
import type { ApiError } from '../api-error.ts';
import { endpointOf } from '../endpoint.ts';
import { partsOf } from '../filter/use-filter.ts';
import type { Scope } from '../scope/scope.ts';
import type { MetricsQuestion } from './metrics-question.ts';

const metricsQueryApi = endpointOf<typeof metricsQueryEndpoint>('POST /v1/metrics/query');

/** Whether the page compares with the previous period, as its address says. */
export const isCompared = ({ search }: Pick<Scope, 'search'>): boolean => search.compare === '1';

/** The filter that a page's environment and filter and a filter of its own make together, each part once. */
export const pageFilter = (
  { params: { environment, filter } }: Pick<Scope, 'params'>,
  own?: string | undefined,
): string =>
  [
    ...new Set(
      [environment === undefined ? '' : termOf('environment', environment), filter ?? '', own ?? ''].flatMap(
        partsOf,
      ),
    ),
  ].join(' ');

/** A question about the calls of a page, as the API takes it; days are those of the person's zone. */
export const documentOf = (
  scope: Scope,
  { filter, ...question }: MetricsQuestion,
  compared: boolean,
): MetricsDocument => ({
  ...question,
  filter: pageFilter(scope, filter),
  start: scope.params.start,
  ...(scope.params.end === undefined ? {} : { end: scope.params.end }),
  timeZone: scope.zone,
  ...(compared ? { compare: 'previous' as const } : {}),
});

/** Figures of the calls of a page. The previous reply stays while the page changes what it asks. */
export function useMetrics(
  scope: Scope,
  question: MetricsQuestion,
  { compared = false, enabled = true }: { readonly compared?: boolean; readonly enabled?: boolean } = {},
): UseQueryResult<MetricsReply, ApiError> {
  const { projectId, every } = scope;
  const body = documentOf(scope, question, compared);
  return useQuery<MetricsReply, ApiError>({
    queryKey: [metricsQueryApi.path, projectId, body],
    queryFn: ({ signal }) => send(metricsQueryApi, { query: { projectId }, body, signal }),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: every,
  });
}

/** Figures of a document as it is, whatever the address of the page says. */
export function useDocument(
  projectId: string,
  body: MetricsDocument,
): UseQueryResult<MetricsReply, ApiError> {
  return useQuery<MetricsReply, ApiError>({
    queryKey: [metricsQueryApi.path, projectId, body],
    queryFn: ({ signal }) => send(metricsQueryApi, { query: { projectId }, body, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Reads the figures of a document once. @throws ApiError */
export const readDocument = (projectId: string, body: MetricsDocument): Promise<MetricsReply> =>
  send(metricsQueryApi, { query: { projectId }, body });
