import { and, asc, desc, eq, gte, isNull, lt } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { projects } from '../../../core/projects/table.ts';
import { type OrganizationScope, type ProjectScope, projectWithin } from '../../../core/tenancy/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import { connectorStates, driftThresholds, driftWarnings, providerFigures } from '../table.ts';
import { type Connector, DEFAULT_THRESHOLD, type DriftWarning, type Threshold } from './contract.ts';
import type { Days } from './figures.ts';
import type { ConnectorSetting } from './settings.ts';

export type FigureRow = typeof providerFigures.$inferSelect;

const isOf = (organizationId: string, connector: string) =>
  and(eq(providerFigures.organizationId, organizationId), eq(providerFigures.connector, connector));

/** The stored figures of some days. */
export async function listFigures(
  ctx: Ctx,
  { organizationId, connector }: { readonly organizationId: string; readonly connector: string },
  { from, to }: Days,
): Promise<FigureRow[]> {
  return ctx.db.sql
    .select()
    .from(providerFigures)
    .where(and(isOf(organizationId, connector), gte(providerFigures.day, from), lt(providerFigures.day, to)));
}

export async function hasFigures(ctx: Ctx, organizationId: string, connector: string): Promise<boolean> {
  const found = await ctx.db.sql
    .select({ day: providerFigures.day })
    .from(providerFigures)
    .where(isOf(organizationId, connector))
    .limit(1);
  return found.length > 0;
}

/** The day after the last one that was fetched, in days since the epoch; null before the first success. */
export async function fetchedUntil(
  ctx: Ctx,
  organizationId: string,
  connector: string,
): Promise<number | null> {
  const [row] = await ctx.db.sql
    .select({ toDay: connectorStates.toDay })
    .from(connectorStates)
    .where(and(eq(connectorStates.organizationId, organizationId), eq(connectorStates.connector, connector)));
  return row?.toDay ?? null;
}

/** The connectors of an organization and how their last fetch went, without their keys. */
export async function listConnectorStates(
  ctx: Ctx,
  organizationId: string,
  settings: readonly ConnectorSetting[],
): Promise<Connector[]> {
  const rows = await ctx.db.sql
    .select()
    .from(connectorStates)
    .where(eq(connectorStates.organizationId, organizationId));
  const byId = new Map(rows.map((row) => [row.connector, row]));
  const dayText = (day: number | null | undefined): string | null =>
    day === null || day === undefined ? null : formatInstant(day * DAY_MS).slice(0, 10);
  const timeText = (at: Date | null | undefined): string | null =>
    at === null || at === undefined ? null : formatInstant(at.getTime());
  return settings
    .map(({ id, provider, projects: names, accounts }): Connector => {
      const row = byId.get(id);
      return {
        ...{ id, provider, projects: [...names], accounts: [...accounts] },
        attemptedAt: timeText(row?.attemptedAt),
        succeededAt: timeText(row?.succeededAt),
        error: row?.error ?? null,
        from: dayText(row?.fromDay),
        to: row?.toDay === null || row?.toDay === undefined ? null : dayText(row.toDay - 1),
        figures: row?.figures ?? 0,
        restated: row?.restated ?? 0,
      };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The scopes of an organization's projects that are not deleted, by id and by name. */
export async function listScopes(
  ctx: Ctx,
  organization: OrganizationScope,
): Promise<{ readonly id: string; readonly name: string; readonly scope: ProjectScope }[]> {
  const rows = await ctx.db.sql
    .select({ id: projects.id, name: projects.name, no: projects.no })
    .from(projects)
    .where(and(eq(projects.organizationId, organization.organizationId), isNull(projects.deletedAt)))
    .orderBy(asc(projects.no));
  return rows.map(({ id, name, no }) => ({
    id,
    name,
    scope: projectWithin(organization, { projectId: id, no }),
  }));
}

/** The threshold that an organization has set, or the default. */
export async function findThreshold(ctx: Ctx, organizationId: string): Promise<Threshold> {
  const [row] = await ctx.db.sql
    .select()
    .from(driftThresholds)
    .where(eq(driftThresholds.organizationId, organizationId));
  return row === undefined ? { ...DEFAULT_THRESHOLD } : { percent: row.percent, usd: row.usdNano / 1e9 };
}

const LISTED = 200;

/** The warnings of an organization, newest first. */
export async function listWarnings(ctx: Ctx, organizationId: string): Promise<DriftWarning[]> {
  const rows = await ctx.db.sql
    .select()
    .from(driftWarnings)
    .where(eq(driftWarnings.organizationId, organizationId))
    .orderBy(desc(driftWarnings.warnedAt), desc(driftWarnings.id))
    .limit(LISTED);
  return rows.map((row) => ({
    ...{ id: row.id, connector: row.connector, day: row.day, model: row.model },
    providerUsd: row.providerNano / 1e9,
    ledgerUsd: row.ledgerNano / 1e9,
    warnedAt: formatInstant(row.warnedAt.getTime()),
    clearedAt: row.clearedAt === null ? null : formatInstant(row.clearedAt.getTime()),
  }));
}
