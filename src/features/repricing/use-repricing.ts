import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ApiError, call } from '../../dashboard/shell/api.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import type { RepricingList, RepricingRow } from './contract.ts';
import { isBusy } from './state-badge.tsx';

/** Path of the re-pricing endpoints. */
export const REPRICINGS = '/v1/repricings';
/** Polling interval. It stays well below the rate limit of 300 requests a minute per login session. */
const LOOK_MS = 2_000;

/**
 * The project's re-pricings, polled while one is running. When it ends, all cached figures are invalidated.
 * @param open the one that `useRepricing` polls, which is fresher than the list's; while it is running, the list is
 * not polled
 */
export function useRepricings(open: RepricingRow | undefined): UseQueryResult<RepricingList, ApiError> {
  const projectId = useProjectId();
  const client = useQueryClient();
  const found = useQuery<RepricingList, ApiError>({
    queryKey: [REPRICINGS, { projectId }],
    queryFn: ({ signal }) => call<RepricingList>(REPRICINGS, { params: { projectId }, signal }),
    select: ({ repricings }) => ({ repricings: repricings.map((row) => (row.id === open?.id ? open : row)) }),
    refetchInterval: ({ state: { data } }) =>
      !(open && isBusy(open)) && data?.repricings.some((row) => row.id !== open?.id && isBusy(row))
        ? LOOK_MS
        : false,
  });
  const busy = found.data?.repricings.some(isBusy) ?? false;
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy) void client.invalidateQueries();
    wasBusy.current = busy;
  }, [busy, client]);
  return found;
}

/** One re-pricing with its changes by day and model; disabled without an id. */
export function useRepricing(id: string | undefined): UseQueryResult<RepricingRow, ApiError> {
  const projectId = useProjectId();
  const path = `${REPRICINGS}/${encodeURIComponent(id ?? '')}`;
  return useQuery<RepricingRow, ApiError>({
    queryKey: [path, { projectId }],
    queryFn: ({ signal }) => call<RepricingRow>(path, { params: { projectId }, signal }),
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
  const path = `${REPRICINGS}/${encodeURIComponent(id)}`;
  const change = useChange({
    failed: step === 'apply' ? 'The prices were not applied' : 'The prices were not put back',
    send: () => call(`${path}/${step}?projectId=${encodeURIComponent(projectId)}`, { method: 'POST' }),
    stale: [path, REPRICINGS],
  });
  return { go: () => change.mutate(), pending: change.isPending };
}
