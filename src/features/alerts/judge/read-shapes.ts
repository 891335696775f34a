import type { Ctx } from '../../../context.ts';
import { eventsOf, type RunSeriesQuery, type SeriesQuery } from '../../../core/events/index.ts';
import { readScoreSeries, type ScoreSeriesQuery } from '../../../core/scores/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';

/** A read of shapes of one kind. */
export type ShapeQuery =
  | { readonly of: 'calls'; readonly query: SeriesQuery }
  | { readonly of: 'runs'; readonly query: RunSeriesQuery }
  | { readonly of: 'scores'; readonly query: ScoreSeriesQuery };

/** The answer to a query as JSON of `SeriesPart[]`: a text is copied between threads faster than objects. */
export async function readShapes(ctx: Ctx, scope: ProjectScope, asked: ShapeQuery): Promise<string> {
  const of = ofProjects([scope]);
  if (asked.of === 'calls') return (await eventsOf(ctx).series(of, asked.query)).text;
  if (asked.of === 'runs') return (await eventsOf(ctx).runSeries(of, asked.query)).text;
  return (await ctx.db.read(readScoreSeries, of, asked.query)).text;
}
