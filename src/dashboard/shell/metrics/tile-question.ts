import type { TileQuery } from '../../../features/dashboards/tiles/contract.ts';
import type { MetricsQuestion } from './metrics-question.ts';

/** The time that a histogram or heat map is of. */
export const timeOf = ({ measures: [first] }: Pick<TileQuery, 'measures'>): 'latency' | 'ttft' =>
  first?.startsWith('ttft') ? 'ttft' : 'latency';

/** Most values of each dimension in a matrix. */
const MAX_SIDE = 20;

/** What is asked for a tile: a chart shows one dimension, a number none. */
export function questionOf(tile: TileQuery): MetricsQuestion {
  const { kind, measures, groupBy, filter, limit } = tile;
  const [first = 'requests'] = measures;
  const time = timeOf(tile);
  switch (kind) {
    case 'number':
      return { measures: [first], filter };
    case 'table':
      return { measures, groupBy, filter, limit };
    case 'matrix':
      return { measures: [first], groupBy, filter, limit: 1, matrix: Math.min(limit, MAX_SIDE) };
    case 'histogram':
      return { measures: [`${time}P50`, `${time}P95`, `${time}P99`], filter, histogram: time };
    case 'heatmap':
      return { measures: [`${time}P50`], filter, histogram: time, bucket: 'auto' };
    default: {
      const [dimension] = groupBy;
      return dimension === undefined
        ? { measures, filter, bucket: 'auto' }
        : { measures: [first], groupBy: [dimension], filter, limit, bucket: 'auto' };
    }
  }
}
