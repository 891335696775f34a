import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { MetricsReply } from '../../../core/events/query/contract.ts';
import type { metricsQueriesEndpoint } from '../../../features/metrics/contract.ts';
import { send } from '../api.ts';
import type { ApiError } from '../api-error.ts';
import { endpointOf } from '../endpoint.ts';
import type { Scope } from '../scope/scope.ts';
import type { MetricsQuestion } from './metrics-question.ts';
import { documentOf } from './use-metrics.ts';

const metricsQueriesApi = endpointOf<typeof metricsQueriesEndpoint>('POST /v1/metrics/queries');

/** The reply to one of several questions; an error if it was refused. */
export type MetricsAnswer = { readonly reply: MetricsReply | null; readonly error: string | null };

/** Answers to several questions in one request, in their order; each says whether it is compared. */
export function useManyMetrics(
  scope: Scope,
  questions: readonly (MetricsQuestion & { readonly compared: boolean })[],
): UseQueryResult<{ replies: MetricsAnswer[] }, ApiError> {
  const { projectId, every } = scope;
  const body = {
    queries: questions.map(({ compared, ...question }) => documentOf(scope, question, compared)),
  };
  return useQuery<{ replies: MetricsAnswer[] }, ApiError>({
    queryKey: [metricsQueriesApi.path, projectId, body],
    queryFn: ({ signal }) => send(metricsQueriesApi, { query: { projectId }, body, signal }),
    placeholderData: keepPreviousData,
    enabled: questions.length > 0,
    refetchInterval: every,
  });
}
