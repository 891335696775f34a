import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Budget } from './contract.ts';
import { periodAt } from './period.ts';
import { isEarly, LOOK_BACK_MS, projectSpending } from './project.ts';
import { type BudgetRow, listProjectNumbers, toOf } from './queries.ts';
import { readSpent, type Spent, type SpentQuery } from './spent.ts';

/** An organization's budgets with where they stand at this moment. */
export async function withStatus(ctx: Ctx, rows: readonly BudgetRow[]): Promise<Budget[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { organizationId } = first;
  const numbers = await listProjectNumbers(ctx, organizationId);
  const now = ctx.now();
  const queries = rows.flatMap((row): SpentQuery[] => {
    const { from, to } = periodAt(row.period, now);
    const of = toOf(row);
    const scope = { projects: projectsOf(row, numbers) };
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

/** The numbers of the projects that a budget is about; of none where its project is gone. */
function projectsOf({ kind, projectId }: BudgetRow, numbers: ReadonlyMap<string, number>): number[] {
  if (projectId === null && (kind === 'organization' || kind === 'tag')) return [...numbers.values()];
  const no = numbers.get(projectId ?? '');
  return no === undefined ? [] : [no];
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
