import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { send } from '../../../dashboard/shell/api.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../../dashboard/shell/scope/scope.ts';
import type { AlertDraft } from '../contract.ts';
import type { AlertPreview, previewAlertEndpoint } from '../preview/contract.ts';

const previewApi = endpointOf<typeof previewAlertEndpoint>('POST /v1/alerts/preview');

/** How long the form must rest before the rule is judged. */
const REST_MS = 400;

/**
 * What a rule would have done, asked for when its form rests; a request that is no longer wanted is aborted. Who is
 * told and the name do not matter to it.
 */
export function usePreview(rule: AlertDraft | null, days: number): UseQueryResult<AlertPreview, ApiError> {
  const projectId = useProjectId();
  const [judged] = useDebouncedValue(rule === null ? '' : JSON.stringify(judgedPart(rule)), REST_MS);
  return useQuery<AlertPreview, ApiError>({
    queryKey: [previewApi.path, projectId, days, judged],
    queryFn: ({ signal }) =>
      send(previewApi, { query: { projectId, days }, body: JSON.parse(judged) as AlertDraft, signal }),
    enabled: judged !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
}

const judgedPart = (rule: AlertDraft): AlertDraft => {
  const { measure, filters, groupBy, window, condition, minRequests, forMinutes, noData } = rule;
  return { name: 'Preview', measure, filters, groupBy, window, condition, minRequests, forMinutes, noData };
};
