import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { send } from '../../dashboard/shell/api.ts';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import type { Scope } from '../../dashboard/shell/scope/scope.ts';
import { queryApi } from './apis.tsx';
import type { TileFigures } from './contract.ts';
import type { TileQuery } from './tiles/contract.ts';

/** The figures of tiles, all in one request; `every`: milliseconds between two reads. */
export function useFigures(
  { params: { projectId, ...page }, zone, every }: Scope,
  tiles: readonly TileQuery[],
): UseQueryResult<{ tiles: TileFigures[] }, ApiError> {
  const body = { ...page, timeZone: zone, tiles: tiles.map(queryOf) };
  return useQuery<{ tiles: TileFigures[] }, ApiError>({
    queryKey: [queryApi.path, projectId, body],
    queryFn: ({ signal }) => send(queryApi, { query: { projectId }, body, signal }),
    placeholderData: keepPreviousData,
    enabled: tiles.length > 0,
    refetchInterval: every,
  });
}

/** Of a tile what is asked: not its place, and not its title. */
const queryOf = ({ kind, measures, groupBy, filter, limit }: TileQuery): TileQuery => ({
  kind,
  measures,
  groupBy,
  filter,
  limit,
});
