import type { Ctx } from '../../context.ts';
import { forecastWindow, type RecentDays, recentDays } from '../../lib/forecast.ts';
import { formatInstant } from '../../lib/time.ts';
import { eventsOf, type Window } from '../events/index.ts';
import { type EventScope, type OrganizationScope, ofProjects, type ProjectScope } from '../tenancy/index.ts';
import type { Budget } from './contract.ts';
import { periodAt } from './period.ts';
import { projectSpending } from './project.ts';
import { type BudgetRow, listProjectScopes, toOf } from './queries.ts';
import { NOTHING, readSpent, type Spent } from './spent.ts';

/** A budget with what was spent in its current period. */
export type Standing = {
  readonly row: BudgetRow;
  readonly period: Window;
  readonly scope: EventScope;
  readonly spent: Spent;
  /** The highest threshold that is crossed, in percent. */
  readonly level: number | null;
};

/** What was spent of some budgets of an organization. */
export async function readStandings(
  ctx: Ctx,
  organization: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<Standing[]> {
  if (rows.length === 0) return [];
  const projects = await listProjectScopes(ctx, organization);
  const now = ctx.now();
  const asked = rows.map((row) => {
    const period = periodAt(row.period, now);
    return { row, period, scope: ofProjects(projectsOf(row, projects)) };
  });
  const spent = await readSpent(
    ctx,
    asked.map(({ row, period: { from, to }, scope }) => ({
      of: toOf(row),
      scope,
      window: { from, to: Math.min(to, now + 1) },
    })),
  );
  return asked.map((one, i): Standing => {
    const own = spent[i] ?? NOTHING;
    const { levels, limitNano } = one.row;
    return {
      ...one,
      spent: own,
      level: levels.findLast((level) => own.nano * 100 >= level * limitNano) ?? null,
    };
  });
}

/** Budgets of an organization with their current status and a forecast. */
export async function withStatus(
  ctx: Ctx,
  organization: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<Budget[]> {
  const standings = await readStandings(ctx, organization, rows);
  const now = ctx.now();
  const asked = standings.map(({ row, scope }) => ({ of: toOf(row), scope, window: forecastWindow(now) }));
  const [recent, firstDays] = await Promise.all([readSpent(ctx, asked), readFirstDays(ctx, standings)]);
  return standings.map((standing, i) => {
    const days = recentDays(recent[i]?.days ?? [], firstDays.get(keyOf(standing)) ?? null, now);
    return toBudget(standing, days, now);
  });
}

const keyOf = ({ scope }: Standing): string => scope.projects.join();

/** The first day with events of each scope: a forecast goes by no day before it. */
async function readFirstDays(
  ctx: Ctx,
  standings: readonly Standing[],
): Promise<ReadonlyMap<string, number | null>> {
  const scopes = new Map(standings.map((standing) => [keyOf(standing), standing.scope]));
  return new Map(
    await Promise.all(
      [...scopes].map(async ([key, scope]) => {
        const { firstDay } =
          scope.projects.length === 0 ? { firstDay: null } : await eventsOf(ctx).span(scope);
        return [key, firstDay] as const;
      }),
    ),
  );
}

/** The projects that a budget covers; none if its project was deleted. */
function projectsOf(
  { kind, projectId }: BudgetRow,
  projects: ReadonlyMap<string, ProjectScope>,
): ProjectScope[] {
  if (projectId === null && (kind === 'organization' || kind === 'tag')) return [...projects.values()];
  const project = projects.get(projectId ?? '');
  return project === undefined ? [] : [project];
}

function toBudget({ row, period, spent, level }: Standing, recent: RecentDays, now: number): Budget {
  const { nano, calls, unpriced, tracked } = spent;
  const limit = row.limitNano;
  const { projected, exhaustedAt, basis } = projectSpending(
    { spent: nano, recent },
    { now, window: period, limit },
  );
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    of: toOf(row),
    period: row.period,
    limitUsd: limit / 1e9,
    levels: row.levels,
    status: {
      periodStart: formatInstant(period.from),
      periodEnd: formatInstant(period.to),
      spentUsd: nano / 1e9,
      fraction: nano / limit,
      level,
      projectedUsd: projected === null ? null : projected / 1e9,
      exhaustedAt: exhaustedAt === null ? null : formatInstant(exhaustedAt),
      basis,
      calls,
      unpriced,
      tracked,
    },
  };
}
