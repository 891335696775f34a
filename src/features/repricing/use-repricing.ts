import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiQuery, queryClient, send } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import type {
  applyRepricingEndpoint,
  getRepricingEndpoint,
  listRepricingsEndpoint,
  RepricingList,
  RepricingRow,
  undoRepricingEndpoint,
} from './contract.ts';
import { isBusy } from './state-badge.tsx';

const listRepricingsApi = endpointOf<typeof listRepricingsEndpoint>('GET /v1/repricings');
const getRepricingApi = endpointOf<typeof getRepricingEndpoint>('GET /v1/repricings/:id');
const applyApi = endpointOf<typeof applyRepricingEndpoint>('POST /v1/repricings/:id/apply');
const undoApi = endpointOf<typeof undoRepricingEndpoint>('POST /v1/repricings/:id/undo');

/** Polling interval. It stays well below the rate limit of 300 requests a minute per login session. */
const LOOK_MS = 2_000;

/**
 * The project's re-pricings, polled while one is running. When it ends, all cached figures are invalidated.
 * @param open the one that `useRepricing` polls, which is fresher than the list's; while it is running, the list is
 * not polled
 */
export function useRepricings(open: RepricingRow | undefined): UseQueryResult<RepricingList, ApiError> {
  const projectId = useProjectId();
  const found = useQuery<RepricingList, ApiError>({
    ...apiQuery(listRepricingsApi, { query: { projectId } }),
    select: ({ repricings }) => ({ repricings: repricings.map((row) => (row.id === open?.id ? open : row)) }),
    refetchInterval: ({ state: { data } }) =>
      !(open && isBusy(open)) && data?.repricings.some((row) => row.id !== open?.id && isBusy(row))
        ? LOOK_MS
        : false,
  });
  const busy = found.data?.repricings.some(isBusy) ?? false;
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy) void queryClient.invalidateQueries();
    wasBusy.current = busy;
  }, [busy]);
  return found;
}

/** One re-pricing with its changes by day and model; disabled without an id. */
export function useRepricing(id: string | undefined): UseQueryResult<RepricingRow, ApiError> {
  const projectId = useProjectId();
  return useQuery<RepricingRow, ApiError>({
    ...apiQuery(getRepricingApi, { params: { id: id ?? '' }, query: { projectId } }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isBusy(data) ? LOOK_MS : false),
  });
}

/** Applies or undoes a re-pricing; `useRepricing` shows its progress. */
export function useRepricingStep(
  id: string,
  step: 'apply' | 'undo',
): { readonly go: () => void; readonly pending: boolean } {
  const projectId = useProjectId();
  const asked = { params: { id }, query: { projectId } };
  const change = useChange({
    failed: step === 'apply' ? 'The re-pricing was not applied' : 'The re-pricing was not undone',
    send: () => (step === 'apply' ? send(applyApi, asked) : send(undoApi, asked)),
    stale: [getRepricingApi, listRepricingsApi],
  });
  return { go: () => change.mutate(), pending: change.isPending };
}
