import { useQuery } from '@tanstack/react-query';
import type { MetricDimension } from '../../../core/events/query/contract.ts';
import type { listKeysEndpoint } from '../../../core/keys/contract.ts';
import { useApi } from '../api.ts';
import type { ApiError } from '../api-error.ts';
import { endpointOf } from '../endpoint.ts';
import { readDocument } from '../metrics/use-metrics.ts';
import type { Scope } from './scope.ts';

const listKeysApi = endpointOf<typeof listKeysEndpoint>('GET /v1/projects/:id/keys');

/** Dimensions whose values filters offer, by the field of the filter. */
const DIMENSIONS: Readonly<Record<string, MetricDimension>> = {
  error: 'errorCode',
  user: 'userId',
  session: 'sessionId',
  operation: 'operation',
  agent: 'agent',
  agentVersion: 'agentVersion',
  tool: 'tool',
  release: 'release',
  prompt: 'promptName',
  promptVersion: 'promptVersion',
  finish: 'finishReason',
};
const MOST = 200;

/** A value that a filter offers, with what people call it: an API key by its id has a name. */
export type OfferedValue = { readonly value: string; readonly name: string };

/** The values of a filter's field, those of most calls in the time range of a page first; none for fields without any. */
export function useValues(
  { projectId, params: { start, end } }: Scope,
  field: string | null,
): readonly OfferedValue[] {
  const dimension = field !== null && Object.hasOwn(DIMENSIONS, field) ? DIMENSIONS[field] : undefined;
  const keys = useApi(listKeysApi, { params: { id: projectId } }, { enabled: field === 'key' }).data?.keys;
  const { data } = useQuery<string[], ApiError>({
    queryKey: ['values', projectId, dimension, start, end],
    enabled: dimension !== undefined,
    queryFn: async () => {
      if (dimension === undefined) return [];
      const { groups } = await readDocument(projectId, {
        measures: ['requests'],
        groupBy: [dimension],
        limit: MOST,
        start,
        ...(end === undefined ? {} : { end }),
      });
      return groups.flatMap(({ key }) => key[dimension] ?? []);
    },
  });
  if (field === 'key') return (keys ?? []).map(({ id, name }) => ({ value: id, name }));
  return (data ?? []).map((value) => ({ value, name: value }));
}
