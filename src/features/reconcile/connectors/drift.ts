import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { type OrganizationScope, ofProjects } from '../../../core/tenancy/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import { MEASURES } from '../compare/add-up.ts';
import type { Threshold } from './contract.ts';
import { type ConnectorDrift, driftRead } from './drift-read.ts';
import type { Days } from './figures.ts';
import { type FigureRow, fetchedUntil, listFigures, listScopes } from './queries.ts';
import type { ConnectorSetting } from './settings.ts';

type Asked = {
  readonly organization: OrganizationScope;
  readonly days: Days;
  readonly threshold: Threshold;
};

const NO_DRIFT: ConnectorDrift = {
  lines: [],
  days: [],
  counts: { lines: 0, differing: 0, over: 0, restated: 0 },
};

/** The figures of a connector beside the calls of its projects, and the amounts that are of no model. */
export async function readDrift(
  ctx: Ctx,
  setting: ConnectorSetting,
  { organization, days, threshold }: Asked,
): Promise<ConnectorDrift & { readonly apart: readonly FigureRow[] }> {
  const { organizationId } = organization;
  const [figures, all, until] = await Promise.all([
    listFigures(ctx, { organizationId, connector: setting.id }, days),
    listScopes(ctx, organization),
    fetchedUntil(ctx, organizationId, setting.id),
  ]);
  const apart = figures.filter(({ kind }) => kind !== 'model');
  const chosen = all.filter(
    ({ id, name }) =>
      setting.projects.length === 0 || setting.projects.includes(id) || setting.projects.includes(name),
  );
  if (figures.length === 0 || chosen.length === 0) return { ...NO_DRIFT, apart };
  const events = ofProjects(chosen.map(({ scope }) => scope));
  // Before the first day with a figure, and after the last fetched day, nothing was fetched.
  const first = figures.reduce((least, { day }) => Math.min(least, day), days.to);
  const to = Math.min(days.to, until ?? days.to);
  const { rows } = await eventsOf(ctx).metrics(events, {
    rows: {
      ...{ measures: MEASURES, groupBy: ['provider', 'model'], bucket: 'day' },
      window: { from: first * DAY_MS, to: to * DAY_MS },
    },
  });
  const found = await ctx.db.read(driftRead, Object.assign(events, { organizationId }), {
    ...{ connector: setting.id, provider: setting.provider, threshold, now: ctx.now(), rows },
    figures: figures
      .filter(({ kind }) => kind === 'model')
      .map(({ restatedAt, fetchedAt: _at, organizationId: _o, connector: _c, ...figure }) => ({
        ...figure,
        restatedAt: restatedAt?.getTime() ?? null,
      })),
  });
  return { ...found.parse(), apart };
}

/** `YYYY-MM-DD`. */
export const dayText = (day: number): string => formatInstant(day * DAY_MS).slice(0, 10);
