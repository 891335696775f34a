import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { parseScoreMeasure } from '../../../lib/scores/score-measures.ts';
import { parseInstant } from '../../../lib/time.ts';
import { parseFilter } from '../../events/filter/contract.ts';
import { type EventsDocument, runMetrics } from '../../events/index.ts';
import {
  type EventMeasure,
  isScoreMeasure,
  type MetricsReply,
  type ParsedMetricsDocument,
  type ScoreMeasure,
} from '../../events/query/contract.ts';
import type { EventScope } from '../../tenancy/index.ts';
import { listTypes } from '../definitions.ts';
import { addScores } from './add-scores.ts';
import { unitOf } from './score-measures.ts';

/**
 * Answers a metrics document whose measures may be of scores (`score:NAME`). Scores count at the time and in the groups of
 * what they are about, so they stand beside cost and latency of the same calls.
 * @param now epoch milliseconds
 * @throws AppError 400 for a reply that would be too large, a query that would read too much, or what scores do not have
 */
export async function runDocument(
  ctx: Ctx,
  scope: EventScope,
  document: ParsedMetricsDocument,
  now: number,
): Promise<MetricsReply> {
  const { measures, orderBy, histogram, matrix, ...rest } = document;
  const own = measures.filter(isScoreMeasure);
  const ofEvents = measures.filter((name): name is EventMeasure => !isScoreMeasure(name));
  const order = orderBy?.measure ?? measures[0];
  const ordered = order !== undefined && isScoreMeasure(order) ? order : null;
  if (own.length === 0 && ordered === null) return runMetrics(ctx, scope, toEventsDocument(document), now);
  if (histogram !== undefined || matrix !== undefined)
    throw badRequest('histogram and matrix are of calls; ask for scores without them');
  if (ofEvents.length > 0 && orderBy !== undefined && ordered !== null)
    throw badRequest('orderBy: order by a measure of calls, or ask for scores alone');
  // Without measures of calls, the events only give the window and its steps.
  const isAlone = ofEvents.length === 0;
  const base: EventsDocument = isAlone
    ? { ...rest, measures: ['requests'], groupBy: [], limit: 1 }
    : {
        ...rest,
        measures: ofEvents,
        ...(orderBy !== undefined &&
          ordered === null && { orderBy: { ...orderBy, measure: orderBy.measure as EventMeasure } }),
      };
  const reply = await runMetrics(ctx, scope, base, now);
  const filled = await addScores(ctx, scope, reply, {
    measures: own,
    groupBy: document.groupBy,
    where: parseFilter(document.filter),
    isAlone,
    order: { measure: ordered ?? own[0], direction: orderBy?.direction ?? 'desc' },
    limit: document.limit,
    bucket: reply.bucket,
    from: parseInstant(reply.start) ?? 0,
    to: (parseInstant(reply.end) ?? 0) + 1,
  });
  return { ...filled, measures: await unitsOf(ctx, scope, measures, reply.measures) };
}

const toEventsDocument = (document: ParsedMetricsDocument): EventsDocument => document as EventsDocument;

async function unitsOf(
  ctx: Ctx,
  scope: EventScope,
  measures: readonly (EventMeasure | ScoreMeasure)[],
  known: MetricsReply['measures'],
): Promise<MetricsReply['measures']> {
  const types = await listTypes(ctx, scope.projects);
  return measures.map((name) => {
    if (!isScoreMeasure(name)) return known.find((one) => one.name === name) ?? { name, unit: 'calls' };
    const asked = parseScoreMeasure(name);
    return { name, unit: unitOf(asked, types.get(asked.name)) };
  });
}
