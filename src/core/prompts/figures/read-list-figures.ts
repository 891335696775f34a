import type { Ctx } from '../../../context.ts';
import { formatInstant, startDaysAgo } from '../../../lib/time.ts';
import { metricsDocumentSchema } from '../../events/query/contract.ts';
import { runDocument } from '../../scores/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import type { ListFigures } from '../contract.ts';

const MAX_PROMPTS = 500;

type Found = {
  readonly figures: ReadonlyMap<string, ListFigures>;
  readonly deletedBefore: string | undefined;
};

/** The figures of the most used prompts of the last days, by name. */
export async function readListFigures(ctx: Ctx, scope: ProjectScope, days: number): Promise<Found> {
  const now = ctx.now();
  const document = metricsDocumentSchema.parse({
    measures: ['requests', 'cost', 'unpriced', 'errorRate', 'latencyP95'],
    groupBy: ['promptName'],
    start: formatInstant(startDaysAgo(now, days)),
    end: formatInstant(now),
    bucket: '1d',
    limit: MAX_PROMPTS,
  });
  const { groups, deletedBefore } = await runDocument(ctx, ofProject(scope), document, now);
  const figures = new Map(
    groups.map(({ key, values, series }) => [
      key.promptName ?? '',
      {
        calls: values.requests ?? 0,
        cost: values.cost ?? null,
        unpriced: values.unpriced ?? 0,
        errorRate: values.errorRate ?? null,
        latencyP95: values.latencyP95 ?? null,
        series: (series?.requests ?? []).map((value) => value ?? 0),
      },
    ]),
  );
  return { figures, deletedBefore };
}
