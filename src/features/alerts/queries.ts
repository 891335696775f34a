import { and, asc, count, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { users } from '../../core/orgs/table.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { badRequest, notFound } from '../../errors.ts';
import { rowFilterOf } from '../../http/row-filter.ts';
import { formatInstant, MINUTE_MS } from '../../lib/time.ts';
import { ALERT_FIELDS } from './alert-fields.ts';
import { ALERT_STATES, type Alert, type AlertState } from './contract.ts';
import { alertFigures, alertProgress, alerts, type Figure, silences, TREND_STEP } from './table.ts';

export type AlertRow = typeof alerts.$inferSelect;

const iso = (at: Date | null): string | null => (at === null ? null : formatInstant(at.getTime()));

/** The worst state first; equal ranks mean equal attention. */
export const RANK: Readonly<Record<AlertState, number>> = {
  critical: 0,
  warning: 1,
  no_data: 2,
  pending: 3,
  ok: 4,
};
const rank = sql<number>`CASE ${alerts.state} WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 WHEN 'no_data' THEN 2
  WHEN 'pending' THEN 3 ELSE 4 END`;

/** When the silence of the whole alert, or of its project, ends; null without one. */
const silencedUntil = (now: number): SQL<number | null> =>
  sql<
    number | null
  >`(SELECT max(s.until) FROM ${silences} AS s WHERE s.project_id = ${alerts.projectId} AND s.until > ${now}
    AND s.group_key IS NULL AND coalesce(s.alert_id, ${alerts.id}) = ${alerts.id})`;

type Page = { readonly cursor?: string | undefined; readonly limit: number };

type Asked = Page & { readonly state?: AlertState | undefined; readonly filter?: string | undefined };

/** Rows that are read at a time where a filter leaves some of them. */
const SLICE = 500;

/**
 * A project's alerts, the worst first, then by name. Throws AppError 400 for an unknown cursor, and for a filter that
 * cannot be read.
 */
export async function listAlerts(
  ctx: Ctx,
  projectId: string,
  { state, filter = '', cursor, limit }: Asked,
): Promise<{ alerts: Alert[]; nextCursor: string | null }> {
  const holds = rowFilterOf(filter, ALERT_FIELDS);
  const size = filter.trim() === '' ? limit + 1 : SLICE;
  const found: Alert[] = [];
  let after = cursor === undefined ? undefined : afterCursor(cursor);
  for (let isMore = true; isMore && found.length <= limit; ) {
    const rows = await selectAlerts(
      ctx,
      projectId,
      and(
        state === undefined ? undefined : eq(alerts.state, state),
        after === undefined ? undefined : sql`(${rank}, ${alerts.name}) > (${after[0]}, ${after[1]})`,
      ),
      size,
    );
    found.push(...rows.filter(holds));
    const last = rows.at(-1);
    isMore = last !== undefined && rows.length === size;
    if (last !== undefined) after = [RANK[last.state], last.name];
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    alerts: shown,
    nextCursor:
      found.length > limit && last !== undefined ? JSON.stringify([RANK[last.state], last.name]) : null,
  };
}

function afterCursor(cursor: string): [number, string] {
  try {
    const [place, name] = JSON.parse(cursor) as unknown[];
    if (typeof place === 'number' && typeof name === 'string') return [place, name];
  } catch {
    // Refused below.
  }
  throw badRequest('cursor: is not one of this list; leave it out for the first page');
}

async function selectAlerts(
  ctx: Ctx,
  projectId: string,
  where: SQL | undefined,
  limit: number,
): Promise<Alert[]> {
  const [rows, [newest]] = await Promise.all([
    ctx.db.sql
      .select({ alert: alerts, author: users.name, silencedUntil: silencedUntil(ctx.now()) })
      .from(alerts)
      .leftJoin(users, eq(users.id, alerts.createdBy))
      .where(and(eq(alerts.projectId, projectId), where))
      .orderBy(asc(rank), asc(alerts.name))
      .limit(limit),
    ctx.db.sql
      .select({ judgedTo: alertProgress.judgedTo, figures: alertFigures.figures })
      .from(alertProgress)
      .leftJoin(alertFigures, eq(alertFigures.projectId, alertProgress.projectId))
      .where(eq(alertProgress.projectId, projectId)),
  ]);
  return rows.map((row) => toAlert(row, newest));
}

/** One alert of a project as replies show it. Throws AppError 404. */
export async function readAlert(ctx: Ctx, projectId: string, id: string): Promise<Alert> {
  const [alert] = await selectAlerts(ctx, projectId, eq(alerts.id, id), 1);
  if (alert === undefined) throw notFound(`There is no alert ${id}`);
  return alert;
}

/** One alert's row; of any project where none is given. Throws AppError 404. */
export async function findAlert(ctx: Ctx, id: string, projectId?: string): Promise<AlertRow> {
  const [row] = await ctx.db.sql
    .select()
    .from(alerts)
    .where(and(eq(alerts.id, id), projectId === undefined ? undefined : eq(alerts.projectId, projectId)));
  if (row === undefined) throw notFound(`There is no alert ${id}`);
  return row;
}

/** Number of a project's alerts by state, and of those whose evaluation failed. */
export async function countAlerts(
  ctx: Ctx,
  { projectId }: Pick<ProjectScope, 'projectId'>,
): Promise<Record<AlertState | 'failing' | 'all', number>> {
  const [byState, [failing]] = await ctx.db.sql.batch([
    ctx.db.sql
      .select({ state: alerts.state, count: count() })
      .from(alerts)
      .where(eq(alerts.projectId, projectId))
      .groupBy(alerts.state),
    ctx.db.sql
      .select({ count: count() })
      .from(alerts)
      .where(and(eq(alerts.projectId, projectId), isNotNull(alerts.error))),
  ]);
  const of = (state: AlertState): number => byState.find((row) => row.state === state)?.count ?? 0;
  const states = Object.fromEntries(ALERT_STATES.map((state) => [state, of(state)]));
  return {
    ...(states as Record<AlertState, number>),
    failing: failing?.count ?? 0,
    all: byState.reduce((sum, row) => sum + row.count, 0),
  };
}

/** The newest evaluation of a project. */
type Newest = { readonly judgedTo: Date; readonly figures: Readonly<Record<string, Figure>> | null };
type Found = {
  readonly alert: AlertRow;
  readonly author: string | null;
  readonly silencedUntil: number | null;
};

/** An alert as replies show it. */
function toAlert({ alert: row, author, silencedUntil }: Found, newest: Newest | undefined): Alert {
  const { rule, groups, error, errorSince } = row;
  const evaluatedAt = evaluatedAtOf(row, newest);
  const [value, worstGroup, unpriced = null, calls = null] = (evaluatedAt === null
    ? undefined
    : newest?.figures?.[row.id]) ?? [null, null];
  return {
    id: row.id,
    organizationId: row.organizationId,
    projectId: row.projectId,
    name: row.name,
    enabled: row.enabled,
    ...rule,
    channelIds: [...row.channelIds],
    opensIncident: row.opensIncident,
    state: row.state,
    groups: { ...groups, unpriced: groups.unpriced ?? 0 },
    value,
    worstGroup,
    unpriced,
    calls,
    trend: toTrend(row),
    evaluatedAt: iso(evaluatedAt),
    error: error === null || errorSince === null ? null : { message: error, since: iso(errorSince) ?? '' },
    silencedUntil: silencedUntil === null ? null : formatInstant(silencedUntil),
    createdBy: author,
    createdAt: formatInstant(row.createdAt.getTime()),
    updatedAt: formatInstant(row.updatedAt.getTime()),
  };
}

/** An evaluation writes the row of an alert only if something changed; how far a project is judged, it writes always. */
function evaluatedAtOf(
  { evaluatedAt, enabled, updatedAt }: AlertRow,
  newest: Newest | undefined,
): Date | null {
  const since = Math.floor(updatedAt.getTime() / MINUTE_MS) * MINUTE_MS;
  const isJudged = enabled && newest !== undefined && newest.judgedTo.getTime() >= since;
  return isJudged ? newest.judgedTo : evaluatedAt;
}

const toTrend = ({ trend }: AlertRow): Alert['trend'] =>
  trend === null
    ? null
    : { end: formatInstant(trend.at * MINUTE_MS), stepMinutes: TREND_STEP, values: [...trend.values] };
