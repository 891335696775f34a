import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { readScoreSeries } from '../../../core/scores/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import { followKeys } from './follow-keys.ts';
import type { ShapeQuery } from './shape-query.ts';

/** The answer to a query as JSON of `SeriesPart[]`: a text is copied between threads faster than objects. */
export async function readShapes(ctx: Ctx, scope: ProjectScope, asked: ShapeQuery): Promise<string> {
  const of = ofProjects([scope]);
  const { of: kind, query } = await followKeys(ctx, scope, asked);
  if (kind === 'calls') return (await eventsOf(ctx).series(of, query)).text;
  if (kind === 'runs') return (await eventsOf(ctx).runSeries(of, query)).text;
  return (await ctx.db.read(readScoreSeries, of, query)).text;
}
