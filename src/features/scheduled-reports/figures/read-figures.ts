import type { Ctx } from '../../../context.ts';
import { listBudgetRows, withStatus } from '../../../core/budgets/index.ts';
import {
  type MetricMeasure,
  type MetricsDocument,
  type MetricsReply,
  metricsDocumentSchema,
} from '../../../core/events/query/contract.ts';
import { listProjects } from '../../../core/projects/index.ts';
import { runDocument } from '../../../core/scores/index.ts';
import {
  type EventScope,
  ofProjects,
  operatorOrganization,
  operatorScope,
} from '../../../core/tenancy/index.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { ReportDimension } from '../contract.ts';
import { changesOf } from './changes.ts';
import type { Amount, ReportFigures } from './contract.ts';
import { costsPath, type PageOf, pathsOf, pricesPath } from './paths.ts';

/** What a report is about. `projectId` null: all projects of the organization. */
export type ReportSubject = {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly environment: string | null;
  readonly groupBy: readonly ReportDimension[];
  readonly timeZone: string;
};

/** Epoch milliseconds, half-open. */
export type Period = { readonly from: number; readonly to: number };

/** Rows of a section, and of the lists below it. */
const TOP = 5;
/** Groups among which the largest changes are looked for. */
const MOST_GROUPS = 500;
/** A budget is near its end from here on. */
const NEAR_END = 0.8;

type Ask = (scope: EventScope, document: Partial<MetricsDocument>) => Promise<MetricsReply>;
type Project = Awaited<ReturnType<typeof listProjects>>[number];

/**
 * The figures of a period against the one before, by the query of metrics: the same as on the pages for this window.
 * Null if the project was deleted, or the organization has no project.
 */
export async function readFigures(
  ctx: Ctx,
  subject: ReportSubject,
  period: Period,
): Promise<ReportFigures | null> {
  const { organizationId, projectId, environment, timeZone } = subject;
  const all = await listProjects(ctx, organizationId);
  const projects = all.filter(({ id }) => projectId === null || id === projectId);
  const [first] = projects;
  if (first === undefined) return null;
  const window = { start: formatInstant(period.from), end: formatInstant(period.to - 1) };
  const ask: Ask = (scope, document) => {
    const filter = environment === null ? '' : termOf('environment', environment);
    const whole = metricsDocumentSchema.parse({
      measures: ['cost'],
      ...window,
      timeZone,
      filter,
      ...document,
    });
    return runDocument(ctx, scope, whole, ctx.now());
  };
  const scope = ofProjects(projects.map(operatorScope));
  const totals = await ask(scope, {
    measures: ['cost', 'requests', 'tokens', 'errorRate', 'unpriced'],
    compare: 'previous',
  });
  const about: PageOf = { projectId, environment, ...window };
  const pathOf = pathsOf(about);
  const replies = await askEach(subject.groupBy, (by) => askGroups(ask, scope, by));
  const of = (name: MetricMeasure): Amount => amountOf(totals.total, name);
  return {
    ...window,
    timeZone,
    previous: totals.previous ?? window,
    subject: projectId === null ? first.organizationName : first.name,
    projectId,
    environment,
    path: projectId === null ? null : costsPath({ ...about, projectId }),
    cost: of('cost'),
    calls: of('requests'),
    tokens: of('tokens'),
    errorRate: of('errorRate'),
    ...unpricedOf(totals.total),
    sections: [
      ...(projects.length > 1 ? [await byProject(ask, projects, about)] : []),
      ...replies.map(({ by, current }) => toSection(by, current, pathOf)),
    ],
    changes: changesOf(replies, TOP).map((change) => ({ ...change, path: pathOf(change.by, change.value) })),
    unpricedModels: await unpricedModels(ask, scope, projectId),
    budgets: await nearBudgets(ctx, subject),
    ...(totals.countedWhole && { countedWhole: totals.countedWhole }),
    missing: totals.missing ?? 0,
  };
}

/** One after the other, so that a report holds one reader at a time. */
async function askEach<T, R>(items: readonly T[], one: (item: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (const item of items) found.push(await one(item));
  return found;
}

/** The groups of both periods. */
async function askGroups(ask: Ask, scope: EventScope, by: ReportDimension) {
  const groups = (more: Partial<MetricsDocument>): Promise<MetricsReply> =>
    ask(scope, {
      measures: ['cost', 'requests', 'unpriced'],
      groupBy: [by],
      limit: MOST_GROUPS,
      ...more,
    });
  const current = await groups({ compare: 'previous' });
  const { start, end } = current.previous ?? current;
  return { by, current, previous: await groups({ start, end }) };
}

type Compared = MetricsReply['total'];

const amountOf = ({ values, previous }: Compared, name: MetricMeasure): Amount => ({
  current: values[name] ?? null,
  previous: previous?.values[name] ?? null,
});

/** Calls that no cost includes. */
type Unpriced = { readonly unpriced: number; readonly unpricedBefore: number };
const unpricedOf = ({ values, previous }: Compared): Unpriced => ({
  unpriced: values.unpriced ?? 0,
  unpricedBefore: previous?.values.unpriced ?? 0,
});

const groupOf = (value: string | null, figures: Compared, path: string | null) => ({
  value,
  path,
  cost: amountOf(figures, 'cost'),
  calls: figures.values.requests ?? 0,
  ...unpricedOf(figures),
});

/** The others are what is left of the total, because a reply has more groups than a report shows. */
function toSection(
  by: string,
  { groups, others, total, deletedBefore }: MetricsReply,
  pathOf: ReturnType<typeof pathsOf>,
): ReportFigures['sections'][number] {
  const shown = groups.slice(0, TOP);
  const more = groups.length - shown.length + (others?.groups ?? 0);
  const rest = (which: keyof Amount): number | null => {
    const all = amountOf(total, 'cost')[which];
    const sum = shown.reduce((some, one) => some + (amountOf(one, 'cost')[which] ?? 0), 0);
    return all === null ? null : Math.max(0, Math.round((all - sum) * 1e9) / 1e9);
  };
  const left = (which: keyof Unpriced): number =>
    shown.reduce((some, one) => some - unpricedOf(one)[which], unpricedOf(total)[which]);
  return {
    by,
    ...(deletedBefore && { deletedBefore }),
    groups: shown.map((one) => groupOf(one.key[by] ?? null, one, pathOf(by, one.key[by] ?? null))),
    others:
      more === 0
        ? null
        : {
            groups: more,
            cost: { current: rest('current'), previous: rest('previous') },
            unpriced: left('unpriced'),
            unpricedBefore: left('unpricedBefore'),
          },
  };
}

async function byProject(
  ask: Ask,
  projects: readonly Project[],
  about: PageOf,
): Promise<ReportFigures['sections'][number]> {
  const all = await askEach(projects, async (project) => {
    const { total } = await ask(ofProjects([operatorScope(project)]), {
      measures: ['cost', 'requests', 'unpriced'],
      compare: 'previous',
    });
    return groupOf(project.name, total, costsPath({ ...about, projectId: project.id }));
  });
  const sorted = all.toSorted((a, b) => (b.cost.current ?? 0) - (a.cost.current ?? 0));
  const rest = sorted.slice(TOP);
  const sum = (which: keyof Amount): number => rest.reduce((some, { cost }) => some + (cost[which] ?? 0), 0);
  return {
    by: 'project',
    groups: sorted.slice(0, TOP),
    others:
      rest.length === 0
        ? null
        : {
            groups: rest.length,
            cost: { current: sum('current'), previous: sum('previous') },
            unpriced: rest.reduce((all, { unpriced }) => all + unpriced, 0),
            unpricedBefore: rest.reduce((all, { unpricedBefore }) => all + unpricedBefore, 0),
          },
  };
}

async function unpricedModels(
  ask: Ask,
  scope: EventScope,
  projectId: string | null,
): Promise<ReportFigures['unpricedModels']> {
  const { groups } = await ask(scope, {
    measures: ['unpriced', 'unpricedInputTokens', 'unpricedOutputTokens'],
    groupBy: ['model', 'provider'],
    limit: TOP,
  });
  return groups
    .filter(({ values }) => (values.unpriced ?? 0) > 0)
    .map(({ key, values }) => ({
      model: key.model ?? null,
      provider: key.provider ?? null,
      calls: values.unpriced ?? 0,
      tokens: (values.unpricedInputTokens ?? 0) + (values.unpricedOutputTokens ?? 0),
      path: pricesPath(projectId, key),
    }));
}

async function nearBudgets(
  ctx: Ctx,
  { organizationId, projectId }: ReportSubject,
): Promise<ReportFigures['budgets']> {
  const rows = (await listBudgetRows(ctx, organizationId)).filter(
    (row) => projectId === null || row.projectId === null || row.projectId === projectId,
  );
  const budgets = await withStatus(ctx, operatorOrganization(organizationId), rows);
  return budgets
    .filter(({ status }) => status.fraction >= NEAR_END || status.exhaustedAt !== null)
    .toSorted((a, b) => b.status.fraction - a.status.fraction)
    .map(({ id, name, limitUsd, status: { spentUsd, fraction, exhaustedAt } }) => ({
      id,
      name,
      spentUsd,
      limitUsd,
      fraction,
      exhaustedAt,
    }));
}
