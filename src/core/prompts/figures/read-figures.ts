import type { Ctx } from '../../../context.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { formatInstant, startDaysAgo } from '../../../lib/time.ts';
import { metricsDocumentSchema } from '../../events/query/contract.ts';
import { runDocument } from '../../scores/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import type { PromptFigures, VersionFigures } from './contract.ts';
import { readVersionScores } from './read-version-scores.ts';

const MAX_VERSIONS = 50;
/** Days before the end at which the window begins by default, as it does for costs. */
const DEFAULT_DAYS = 30;

type Asked = {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly environment?: string | undefined;
};

/** The figures of each version of a prompt, as `runDocument` computes them. */
export async function readFigures(
  ctx: Ctx,
  scope: ProjectScope,
  { name, start, end, environment }: Asked,
): Promise<PromptFigures> {
  const now = ctx.now();
  const terms = [
    termOf('prompt', name),
    ...(environment === undefined ? [] : [termOf('environment', environment)]),
  ];
  const filter = terms.join(' ');
  const window = {
    start: formatInstant(start ?? startDaysAgo(end ?? now, DEFAULT_DAYS)),
    end: formatInstant(end ?? now),
  };
  const document = metricsDocumentSchema.parse({
    measures: [
      'requests',
      'cost',
      'costAvg',
      'unpriced',
      'latencyP50',
      'latencyP95',
      'errors',
      'errorRate',
      'cacheRate',
    ],
    groupBy: ['promptVersion'],
    filter,
    ...window,
    bucket: 'auto',
    limit: MAX_VERSIONS,
  });
  const [reply, scores] = await Promise.all([
    runDocument(ctx, ofProject(scope), document, now),
    readVersionScores(ctx, scope, { filter, ...window, limit: MAX_VERSIONS }),
  ]);
  const groups = reply.groups.toSorted((a, b) => order(b.key.promptVersion) - order(a.key.promptVersion));
  const versions = groups.map(
    ({ key, values, series }, i): VersionFigures => ({
      version: key.promptVersion ?? null,
      calls: values.requests ?? 0,
      cost: values.cost ?? null,
      costPerCall: values.costAvg ?? null,
      unpriced: values.unpriced ?? 0,
      latencyP50: values.latencyP50 ?? null,
      latencyP95: values.latencyP95 ?? null,
      errors: values.errors ?? 0,
      errorRate: values.errorRate ?? null,
      cacheRate: values.cacheRate ?? null,
      scores: scores.get(key.promptVersion ?? null) ?? [],
      previous: isNumber(key.promptVersion) ? previousOf(groups.slice(i + 1)) : null,
      series: (series?.requests ?? []).map((value) => value ?? 0),
    }),
  );
  const { bucket, steps, deletedBefore } = reply;
  return { start: reply.start, end: reply.end, bucket, steps, versions, deletedBefore };
}

type Group = { readonly key: Readonly<Record<string, string | null>> };

const previousOf = (later: readonly Group[]): string | null =>
  later.map(({ key }) => key.promptVersion).find(isNumber) ?? null;

const isNumber = (version: string | null | undefined): version is string => /^\d{1,9}$/.test(version ?? '');

/** Versions by number; what is no number comes last. */
const order = (version: string | null | undefined): number => (isNumber(version) ? Number(version) : -1);
