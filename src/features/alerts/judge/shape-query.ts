import type { RunSeriesQuery, SeriesQuery } from '../../../core/events/index.ts';
import type { ScoreSeriesQuery } from '../../../core/scores/index.ts';

/** A read of shapes of one kind. */
export type ShapeQuery =
  | { readonly of: 'calls'; readonly query: SeriesQuery }
  | { readonly of: 'runs'; readonly query: RunSeriesQuery }
  | { readonly of: 'scores'; readonly query: ScoreSeriesQuery };
