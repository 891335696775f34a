import { and, eq, gte, isNull, lt, ne } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Window } from '../../core/events/index.ts';
import { badRequest } from '../../errors.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { IncidentStats } from './contract.ts';
import { incidents } from './table.ts';

const WEEK_MS = 7 * DAY_MS;
const DEFAULT_WEEKS = 12;
const MAX_WEEKS = 520;
/** 1970-01-01 was a Thursday. */
const MONDAY_OFFSET = 3 * DAY_MS;

/** Start of the week of a time: Monday, 00:00 UTC. */
const weekOf = (time: number): number =>
  Math.floor((time + MONDAY_OFFSET) / WEEK_MS) * WEEK_MS - MONDAY_OFFSET;

type Line = {
  readonly severity: string;
  readonly startedAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly resolvedAt: Date | null;
};
type Figures = IncidentStats['total'];

/**
 * Counts a project's incidents by week, with mean times to acknowledge and to resolve.
 * @param bounds epoch milliseconds, the end exclusive; by default the last 12 weeks
 * @throws AppError 400 for more than ten years
 */
export async function readStats(
  ctx: Ctx,
  projectId: string,
  bounds: Partial<Window>,
): Promise<IncidentStats> {
  const to = bounds.to ?? ctx.now() + 1;
  const from = bounds.from ?? weekOf(to) - (DEFAULT_WEEKS - 1) * WEEK_MS;
  if (from >= to) throw badRequest('start: must not be after end');
  if (to - from > MAX_WEEKS * WEEK_MS) throw badRequest('start: must not be more than ten years before end');
  const { severity, startedAt, acknowledgedAt, resolvedAt } = incidents;
  const lines = await ctx.db.sql
    .select({ severity, startedAt, acknowledgedAt, resolvedAt })
    .from(incidents)
    .where(
      and(
        eq(incidents.projectId, projectId),
        isNull(incidents.mergedInto),
        gte(startedAt, new Date(from)),
        lt(startedAt, new Date(to)),
      ),
    );
  const open = await ctx.db.sql.$count(
    incidents,
    and(eq(incidents.projectId, projectId), ne(incidents.status, 'resolved')),
  );
  const byWeek = Map.groupBy(lines, (line) => weekOf(line.startedAt.getTime()));
  const weeks: IncidentStats['weeks'] = [];
  for (let week = weekOf(from); week < to; week += WEEK_MS)
    weeks.push({ week: formatInstant(week).slice(0, 10), ...figuresOf(byWeek.get(week) ?? []) });
  return { start: formatInstant(from), end: formatInstant(to - 1), open, total: figuresOf(lines), weeks };
}

function figuresOf(lines: readonly Line[]): Figures {
  const after = (end: (line: Line) => Date | null): number[] =>
    lines.flatMap((line) => {
      const at = end(line);
      return at === null ? [] : [Math.max(0, at.getTime() - line.startedAt.getTime())];
    });
  const [acknowledged, resolved] = [after((line) => line.acknowledgedAt), after((line) => line.resolvedAt)];
  return {
    incidents: lines.length,
    critical: lines.filter(({ severity }) => severity === 'critical').length,
    acknowledged: acknowledged.length,
    resolved: resolved.length,
    mttaMs: meanOf(acknowledged),
    mttrMs: meanOf(resolved),
  };
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
