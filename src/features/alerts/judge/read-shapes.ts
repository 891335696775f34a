import type { Ctx } from '../../../context.ts';
import { eventsOf, type SeriesQuery } from '../../../core/events/index.ts';
import { readScoreSeries, type ScoreSeriesQuery } from '../../../core/scores/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';

/** A read of shapes of one kind. */
export type ShapeQuery =
  | { readonly of: 'calls'; readonly query: SeriesQuery }
  | { readonly of: 'scores'; readonly query: ScoreSeriesQuery };

/** The answer to a query as JSON of `SeriesPart[]`: a text is copied between threads faster than objects. */
export async function readShapes(ctx: Ctx, scope: ProjectScope, asked: ShapeQuery): Promise<string> {
  if (asked.of === 'calls') return (await eventsOf(ctx).series(ofProjects([scope]), asked.query)).text;
  return (await ctx.db.read(readScoreSeries, ofProjects([scope]).projects, asked.query)).text;
}
