import { and, desc, eq, gte, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { users } from '../../core/orgs/table.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { IncidentSettings, IncidentSummary, IncidentsQuery, Incident as Shown } from './contract.ts';
import { filterOfIncident, windowOf } from './root-cause-of.ts';
import type { Incident } from './state.ts';
import { incidentSettings, incidents } from './table.ts';

type Row = typeof incidents.$inferSelect;

/** Minutes after which an incident resolves itself, unless the project says otherwise. */
const AUTO_RESOLVE_MINUTES = 15;

const ms = (time: Date | null): number | null => time?.getTime() ?? null;
const iso = (time: number | null): string | null => (time === null ? null : formatInstant(time));

const toState = (row: Row): Incident => ({
  ...row,
  startedAt: row.startedAt.getTime(),
  acknowledgedAt: ms(row.acknowledgedAt),
  resolvedAt: ms(row.resolvedAt),
  healthySince: ms(row.healthySince),
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
});

/** Open ones first, then by start, both descending; a cursor is the place of the last one. */
type Position = readonly [isOpen: number, startedAt: number, number: number];
const IS_OPEN = sql<number>`(${incidents.status} <> 'resolved')`;

/** A page of a project's incidents. Throws AppError 400 for a cursor of another endpoint. */
export async function listIncidents(
  ctx: Ctx,
  projectId: string,
  { cursor, limit, ...query }: IncidentsQuery,
): Promise<{ incidents: IncidentSummary[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : afterCursor(cursor);
  const rows = await ctx.db.sql
    .select()
    .from(incidents)
    .where(and(eq(incidents.projectId, projectId), ...wanted(query), after))
    .orderBy(desc(IS_OPEN), desc(incidents.startedAt), desc(incidents.number))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  const names = await namesOf(
    ctx,
    shown.flatMap(({ assigneeId }) => assigneeId ?? []),
  );
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    incidents: shown.map((row) => toSummary(toState(row), names)),
    nextCursor:
      last === undefined
        ? null
        : JSON.stringify([Number(last.status !== 'resolved'), last.startedAt.getTime(), last.number]),
  };
}

function wanted({ status, severity, assigneeId, start, end }: Omit<IncidentsQuery, 'cursor' | 'limit'>) {
  return [
    status === undefined
      ? undefined
      : status === 'unresolved'
        ? ne(incidents.status, 'resolved')
        : eq(incidents.status, status),
    severity === undefined ? undefined : eq(incidents.severity, severity),
    assigneeId === undefined ? undefined : eq(incidents.assigneeId, assigneeId),
    start === undefined ? undefined : gte(incidents.startedAt, new Date(start)),
    end === undefined ? undefined : lte(incidents.startedAt, new Date(end)),
  ];
}

function afterCursor(cursor: string): SQL | undefined {
  const [isOpen, startedAt, number] = parseCursor(cursor);
  const at = new Date(startedAt);
  return or(
    lt(IS_OPEN, isOpen),
    and(
      eq(IS_OPEN, isOpen),
      or(lt(incidents.startedAt, at), and(eq(incidents.startedAt, at), lt(incidents.number, number))),
    ),
  );
}

function parseCursor(cursor: string): Position {
  try {
    const parsed: unknown = JSON.parse(cursor);
    if (Array.isArray(parsed) && parsed.length === 3 && parsed.every((one) => Number.isSafeInteger(one)))
      return parsed as unknown as Position;
  } catch {
    // Not JSON: refused below.
  }
  throw badRequest('cursor was not returned by this endpoint');
}

/** An incident by id or number. @param projectId undefined: of any project, by id only. Throws AppError 404. */
export async function findIncident(ctx: Ctx, projectId: string | undefined, id: string): Promise<Incident> {
  const isNumber = projectId !== undefined && /^#?\d{1,9}$/.test(id);
  const [row] = await ctx.db.sql
    .select()
    .from(incidents)
    .where(
      and(
        projectId === undefined ? undefined : eq(incidents.projectId, projectId),
        isNumber ? eq(incidents.number, Number(id.replace('#', ''))) : eq(incidents.id, id),
      ),
    );
  if (row === undefined) throw notFound(`There is no incident ${id}`);
  return toState(row);
}

type Names = ReadonlyMap<string, string>;

/** Names of people by id; deleted ones are missing. */
async function namesOf(ctx: Ctx, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.sql
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const personOf = (id: string | null, names: Names): IncidentSummary['assignee'] => {
  const name = id === null ? undefined : names.get(id);
  return id === null || name === undefined ? null : { id, name };
};

const toSummary = (incident: Incident, names: Names): IncidentSummary => ({
  id: incident.id,
  projectId: incident.projectId,
  number: incident.number,
  title: incident.title,
  severity: incident.severity,
  status: incident.status,
  measure: incident.measure,
  dimensions: { ...incident.dimensions },
  assignee: personOf(incident.assigneeId, names),
  startedAt: formatInstant(incident.startedAt),
  acknowledgedAt: iso(incident.acknowledgedAt),
  resolvedAt: iso(incident.resolvedAt),
  healthySince: iso(incident.healthySince),
  mergedInto: incident.mergedInto,
  firing: incident.alerts.filter(({ state }) => state === 'firing').length,
});

/** An incident as the API shows it. */
export async function showIncident(ctx: Ctx, incident: Incident): Promise<Shown> {
  const people = incident.timeline.flatMap(({ userId }) => userId ?? []);
  const names = await namesOf(ctx, [
    ...people,
    ...(incident.assigneeId === null ? [] : [incident.assigneeId]),
  ]);
  const { firing: _, ...summary } = toSummary(incident, names);
  const window = windowOf(incident, ctx.now());
  return {
    ...summary,
    notes: incident.notes,
    alerts: incident.alerts.map(({ windowStart: _start, windowEnd: _end, ...alert }) => ({
      ...alert,
      unpriced: alert.unpriced ?? null,
      calls: alert.calls ?? null,
      firstAt: formatInstant(alert.firstAt),
      lastAt: formatInstant(alert.lastAt),
    })),
    timeline: incident.timeline.map(({ userId, at, ...entry }) => ({
      ...entry,
      at: formatInstant(at),
      person: personOf(userId, names),
    })),
    window: { start: formatInstant(window.from), end: formatInstant(window.to) },
    filter: filterOfIncident(incident),
  };
}

/** The settings of a project's incidents. */
export async function readSettings(ctx: Ctx, projectId: string): Promise<IncidentSettings> {
  const [row] = await ctx.db.sql
    .select({ autoResolveMinutes: incidentSettings.autoResolveMinutes })
    .from(incidentSettings)
    .where(eq(incidentSettings.projectId, projectId));
  return row ?? { autoResolveMinutes: AUTO_RESOLVE_MINUTES };
}

/** Incidents whose alerts have been healthy for as long as their project wants. Times in epoch milliseconds. */
export async function listHealthy(
  ctx: Ctx,
  limit: number,
): Promise<{ id: string; projectId: string; organizationId: string; before: number }[]> {
  const minutes = sql<
    number | null
  >`(CASE WHEN ${incidentSettings.projectId} IS NULL THEN ${AUTO_RESOLVE_MINUTES}
    ELSE ${incidentSettings.autoResolveMinutes} END)`;
  const now = ctx.now();
  const rows = await ctx.db.sql
    .select({
      id: incidents.id,
      projectId: incidents.projectId,
      organizationId: incidents.organizationId,
      minutes,
    })
    .from(incidents)
    .leftJoin(incidentSettings, eq(incidentSettings.projectId, incidents.projectId))
    .where(
      and(
        ne(incidents.status, 'resolved'),
        isNull(incidents.mergedInto),
        sql`${incidents.healthySince} IS NOT NULL`,
        sql`${incidents.healthySince} <= ${now} - ${minutes} * 60000`,
      ),
    )
    .orderBy(incidents.healthySince)
    .limit(limit);
  return rows.map(({ minutes: after, ...row }) => ({ ...row, before: now - (after ?? 0) * 60_000 }));
}
