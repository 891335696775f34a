import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ApiError, call } from '../../dashboard/shell/api.ts';
import { useProjectId } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import type { RepricingList, RepricingRow } from './contract.ts';
import { isBusy } from './state-badge.tsx';

/** Under which the API has re-pricings. */
export const REPRICINGS = '/v1/repricings';
/** Between two looks. A session may ask 300 times a minute, for all that is open in it. */
const LOOK_MS = 2_000;

/**
 * The project's re-pricings, looked at again while one is at work. When it ends, all figures are old.
 * @param open the one that `useRepricing` looks at, which is newer than the list's; while it is at work, the
 *   list is not asked for
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

/** One of them, with what it changes by day and model; nothing is asked without an id. */
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

/** Has a re-pricing applied or put back; how far it is tells `useRepricing`. */
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
