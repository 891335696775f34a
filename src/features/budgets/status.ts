import type { Ctx } from '../../context.ts';
import { type OrganizationScope, ofProjects, type ProjectScope } from '../../core/tenancy/index.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Budget } from './contract.ts';
import { periodAt } from './period.ts';
import { isEarly, LOOK_BACK_MS, projectSpending } from './project.ts';
import { type BudgetRow, listProjectScopes, toOf } from './queries.ts';
import { readSpent, type Spent, type SpentQuery } from './spent.ts';

/** Budgets of an organization with their current status. */
export async function withStatus(
  ctx: Ctx,
  organization: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<Budget[]> {
  if (rows.length === 0) return [];
  const projects = await listProjectScopes(ctx, organization);
  const now = ctx.now();
  const queries = rows.flatMap((row): SpentQuery[] => {
    const { from, to } = periodAt(row.period, now);
    const of = toOf(row);
    const scope = ofProjects(projectsOf(row, projects));
    const window = { from, to: Math.min(to, now + 1) };
    const before = { from: from - LOOK_BACK_MS, to: from };
    const look = isEarly(now, { from, to }) ? before : { from, to: from };
    return [
      { of, scope, window },
      { of, scope, window: look },
    ];
  });
  const spent = await readSpent(ctx, queries);
  return rows.map((row, i) => toBudget(row, now, [spent[2 * i], spent[2 * i + 1]]));
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

function toBudget(row: BudgetRow, now: number, spent: readonly (Spent | undefined)[]): Budget {
  const [current, before] = spent;
  const window = periodAt(row.period, now);
  const nano = current?.nano ?? 0;
  const limit = row.limitNano;
  const { projected, exhaustedAt, basis } = projectSpending(
    { spent: nano, before: before?.nano ?? 0 },
    { now, window, limit },
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
      periodStart: formatInstant(window.from),
      periodEnd: formatInstant(window.to),
      spentUsd: nano / 1e9,
      fraction: nano / limit,
      level: row.levels.findLast((level) => nano * 100 >= level * limit) ?? null,
      projectedUsd: projected / 1e9,
      exhaustedAt: exhaustedAt === null ? null : formatInstant(exhaustedAt),
      basis,
      calls: current?.calls ?? 0,
      unpriced: current?.unpriced ?? 0,
      tracked: current?.tracked ?? true,
    },
  };
}
