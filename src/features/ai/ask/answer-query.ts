import type { Ctx } from '../../../context.ts';
import { metricsDocumentSchema } from '../../../core/events/query/contract.ts';
import { runDocument } from '../../../core/scores/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { chartOf } from './chart-of.ts';
import type { AskReply, WrittenQuery } from './contract.ts';
import type { Meaning } from './question.ts';
import { labelOf, toAnswer } from './to-answer.ts';
import { toRows } from './to-rows.ts';

/** Groups of the window that the figures are compared with: more than of the own one, so that each finds its own. */
const MOST_BEFORE = 500;

/** The part of a reply that comes from the figures. */
type Figures = Pick<
  AskReply,
  | 'query'
  | 'baseline'
  | 'start'
  | 'end'
  | 'measures'
  | 'rows'
  | 'chart'
  | 'answer'
  | 'deletedBefore'
  | 'countedWhole'
>;

/** Runs what a question means. @throws AppError 400 if that would read too much */
export async function answerQuery(
  ctx: Ctx,
  scope: EventScope,
  { query, baseline }: Meaning,
  now: number,
): Promise<Figures> {
  const run = (document: unknown) => runDocument(ctx, scope, metricsDocumentSchema.parse(document), now);
  const reply = await run(query);
  const { range: _, start: __, end: ___, compare: ____, ...same } = query;
  const before =
    baseline === null
      ? null
      : await run({
          ...same,
          ...baseline,
          ...(reply.groupBy.length === 0
            ? {}
            : { limit: Math.max(query.limit ?? 0, beforeLimit(query.bucket)) }),
        });
  const measures = reply.measures.map(({ name, unit }) => ({ name, label: labelOf(name), unit }));
  const rows = toRows(reply, before);
  const deletedBefore = before?.deletedBefore ?? reply.deletedBefore;
  const { countedWhole } = reply;
  const notes = `${deletedBefore === undefined ? '' : DELETED}${countedWhole === undefined ? '' : WHOLE}`;
  return {
    query: query as WrittenQuery,
    baseline: baseline as AskReply['baseline'],
    start: reply.start,
    end: reply.end,
    measures,
    rows,
    chart: chartOf(rows, reply.groupBy.length),
    answer: `${toAnswer(rows, { measures, isLowest: query.orderBy?.direction === 'asc' })}${notes}`,
    ...(deletedBefore === undefined ? {} : { deletedBefore }),
    ...(countedWhole === undefined ? {} : { countedWhole }),
  };
}

const DELETED = ' Older calls have been deleted (retention) and are in none of these figures.';

const WHOLE = ' Of the hour at an end of this time only sums are left, so that all of the hour counts.';

/** With steps, as many groups would be too many values. */
const beforeLimit = (bucket: string | undefined): number => (bucket === undefined ? MOST_BEFORE : 20);
