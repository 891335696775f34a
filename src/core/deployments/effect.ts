import { and, eq, gte, isNull, lt, ne } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { countText, numberText } from '../../lib/figures.ts';
import { formatInstant, HOUR_MS } from '../../lib/time.ts';
import { eventsOf, type MetricsQuery, type MetricsRow, type Window } from '../events/index.ts';
import { ofProject, type ProjectScope } from '../tenancy/index.ts';
import { type DeploymentEffect, type EffectSide, MIN_CALLS } from './contract.ts';
import type { DeploymentRow } from './queries.ts';
import { deployments } from './table.ts';

const MAX_OTHERS = 10;

const MEASURES = [
  'requests',
  'cost',
  'unpriced',
  'errorRate',
  'latencyCount',
  'latencyP50',
  'latencyP95',
] as const satisfies MetricsQuery['measures'];
type Row = MetricsRow<{ readonly measures: typeof MEASURES; readonly window: Window }>;

type Windows = { readonly before: Window; readonly after: Window };

/**
 * The figures before and after deployments, in their order. Both windows have the same length and hold all calls of
 * the environment; after a young deployment they are shorter than asked.
 */
export async function readEffects(
  ctx: Ctx,
  scope: ProjectScope,
  { rows, hours }: { readonly rows: readonly DeploymentRow[]; readonly hours: number },
): Promise<DeploymentEffect[]> {
  if (rows.length === 0) return [];
  const windows = rows.map((row) => windowsOf(row.at.getTime(), hours, ctx.now()));
  const queries: Record<string, MetricsQuery & { readonly measures: typeof MEASURES }> = {};
  for (const [i, { environment }] of rows.entries()) {
    const { before, after } = windows[i] ?? NO_TIME;
    queries[`before ${i}`] = { measures: MEASURES, filters: { environment }, window: before };
    queries[`after ${i}`] = { measures: MEASURES, filters: { environment }, window: after };
  }
  const [answers, { countedWhole }, others] = await Promise.all([
    eventsOf(ctx).metrics(ofProject(scope), queries),
    eventsOf(ctx).deleted(ofProject(scope), { metrics: queries }),
    Promise.all(rows.map((row, i) => findOthers(ctx, row, windows[i] ?? NO_TIME))),
  ]);
  return rows.map((_, i) => {
    const { before, after } = windows[i] ?? NO_TIME;
    const sides = [toSide(before, answers[`before ${i}`]?.[0]), toSide(after, answers[`after ${i}`]?.[0])];
    return toEffect(sides as [EffectSide, EffectSide], others[i] ?? [], isBlurred(after, countedWhole));
  });
}

/** The figures before and after one deployment. */
export async function readEffect(
  ctx: Ctx,
  scope: ProjectScope,
  { row, hours }: { readonly row: DeploymentRow; readonly hours: number },
): Promise<DeploymentEffect> {
  const [effect] = await readEffects(ctx, scope, { rows: [row], hours });
  if (effect === undefined) throw new Error('a deployment has one effect');
  return effect;
}

/** Whether sums of whole hours stand for deleted calls, so that the hour of the deployment is on both sides. */
const isBlurred = ({ from: at }: Window, countedWhole: readonly Window[]): boolean =>
  countedWhole.some(({ from, to }) => from < at && at < to);

const NO_TIME: Windows = { before: { from: 0, to: 0 }, after: { from: 0, to: 0 } };

function windowsOf(at: number, hours: number, now: number): Windows {
  const length = Math.min(hours * HOUR_MS, Math.max(0, now - at));
  return { before: { from: at - length, to: at }, after: { from: at, to: at + length } };
}

function toSide({ from, to }: Window, row: Row | undefined): EffectSide {
  const { requests = 0, cost = 0, unpriced = 0, latencyCount = 0 } = row ?? {};
  const priced = requests - unpriced;
  const figure = (calls: number, value: number | undefined): number | null =>
    calls < MIN_CALLS || value === undefined ? null : value;
  return {
    start: formatInstant(from),
    end: formatInstant(to),
    calls: requests,
    unpriced,
    costPerCall: figure(priced, cost / priced),
    latencyP50: figure(latencyCount, row?.latencyP50),
    latencyP95: figure(latencyCount, row?.latencyP95),
    errorRate: figure(requests, row?.errorRate),
  };
}

function toEffect(
  [before, after]: [EffectSide, EffectSide],
  others: DeploymentEffect['others'],
  blurred: boolean,
): DeploymentEffect {
  const share = (figure: 'costPerCall' | 'latencyP50' | 'latencyP95'): number | null => {
    const [then, now] = [before[figure], after[figure]];
    return then === null || now === null || then === 0 ? null : now / then - 1;
  };
  const enough = before.calls >= MIN_CALLS && after.calls >= MIN_CALLS;
  const rates = before.errorRate === null || after.errorRate === null;
  return {
    before,
    after,
    change: {
      costPerCall: share('costPerCall'),
      latencyP50: share('latencyP50'),
      latencyP95: share('latencyP95'),
      errorRate: rates ? null : (after.errorRate ?? 0) - (before.errorRate ?? 0),
    },
    enough,
    note: noteOf({ before, after, enough, others }, blurred),
    others: [...others],
  };
}

function noteOf(
  { before, after, enough, others }: Pick<DeploymentEffect, 'before' | 'after' | 'enough' | 'others'>,
  blurred: boolean,
): string | null {
  if (!enough)
    return `Not enough calls: ${numberText(before.calls)} before and ${numberText(after.calls)} after; each side needs ${MIN_CALLS}.`;
  const notes = [
    ...(blurred
      ? ['Calls of this time have been deleted (retention): the hour of the deployment counts on both sides.']
      : []),
    ...(others.length > 0
      ? [
          `${countText(others.length, 'other deployment')} in the same time: ${others.map(({ release }) => release).join(', ')}.`,
        ]
      : []),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}

/** Other deployments of the environment in the windows: they may explain a change as well. */
function findOthers(
  ctx: Ctx,
  { id, projectId, environment }: DeploymentRow,
  { before, after }: Windows,
): Promise<{ id: string; release: string }[]> {
  return ctx.db.sql
    .select({ id: deployments.id, release: deployments.release })
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        eq(deployments.environment, environment),
        ne(deployments.id, id),
        isNull(deployments.deletedAt),
        gte(deployments.at, new Date(before.from)),
        lt(deployments.at, new Date(after.to)),
      ),
    )
    .orderBy(deployments.at)
    .limit(MAX_OTHERS);
}
