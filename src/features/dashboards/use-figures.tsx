import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiError } from '../../dashboard/shell/api-error.ts';
import { questionOf } from '../../dashboard/shell/metrics/tile-question.ts';
import { type MetricsAnswer, useManyMetrics } from '../../dashboard/shell/metrics/use-many-metrics.ts';
import { isCompared } from '../../dashboard/shell/metrics/use-metrics.ts';
import type { Scope } from '../../dashboard/shell/scope/scope.ts';
import type { TileQuery } from './tiles/contract.ts';

/** The figures of tiles, all in one request, in the order of the tiles. */
export function useFigures(
  scope: Scope,
  tiles: readonly TileQuery[],
): UseQueryResult<{ replies: MetricsAnswer[] }, ApiError> {
  const compared = isCompared(scope);
  return useManyMetrics(
    scope,
    tiles.map((tile) => ({
      ...questionOf(tile),
      compared: tile.kind === 'number' || (compared && isChart(tile)),
    })),
  );
}

const isChart = ({ kind }: TileQuery): boolean => kind === 'bars' || kind === 'line';
