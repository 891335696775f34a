import { and, eq, gte, lt, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import { connectorStates, providerFigures } from '../table.ts';
import type { Days, Figure } from './figures.ts';
import { type FigureRow, listFigures } from './queries.ts';

/** A connector of an organization. */
export type ConnectorOf = { readonly organizationId: string; readonly connector: string };

/** The job that fetches, as the audit log names it. */
const FETCHER = { kind: 'system', name: 'connectors.fetch' } as const;

/** Days after its end until a day is settled: providers report late, and what changes afterwards is a restatement. */
export const SETTLED_AFTER_DAYS = 2;
/** Rows of one statement. */
const CHUNK = 200;

type NewRow = typeof providerFigures.$inferInsert;
const keyOf = ({
  day,
  kind,
  label,
  currency,
}: Pick<FigureRow, 'day' | 'kind' | 'label' | 'currency'>): string => `${day} ${kind} ${currency} ${label}`;

/**
 * Replaces the figures of some days, in one transaction with their audit entry. A settled figure that changed keeps
 * what it was first; one that is gone stays as 0.
 * @returns how many were restated
 */
export async function storeFigures(
  ctx: Ctx,
  of: ConnectorOf,
  { days, figures }: { readonly days: Days; readonly figures: readonly Figure[] },
): Promise<{ readonly figures: number; readonly restated: number }> {
  const now = new Date(ctx.now());
  const known = new Map((await listFigures(ctx, of, days)).map((row) => [keyOf(row), row]));
  const kept = figures.filter(({ day }) => day >= days.from && day < days.to);
  const found = new Set(kept.map(keyOf));
  const gone = [...known.values()].filter((row) => !found.has(keyOf(row)) && isSettled(row));
  const rows = [
    ...kept.map((figure) =>
      toRow({ ...figure, label: figure.label.slice(0, 500) }, known.get(keyOf(figure)), { of, now }),
    ),
    ...gone.map((row) => toRow({ ...row, ...NOTHING }, row, { of, now })),
  ];
  const restated = rows.filter(({ restatedAt }) => restatedAt === now).length;
  const { organizationId, connector } = of;
  const state = {
    ...{ attemptedAt: now, succeededAt: now, error: null, figures: kept.length, restated },
    ...{ fromDay: days.from, toDay: days.to },
  };
  await commitChange(ctx, FETCHER, {
    statements: [
      ctx.db.sql
        .delete(providerFigures)
        .where(
          and(
            eq(providerFigures.organizationId, organizationId),
            eq(providerFigures.connector, connector),
            gte(providerFigures.day, days.from),
            lt(providerFigures.day, days.to),
          ),
        ),
      ...insertsOf(ctx, rows),
      ctx.db.sql
        .insert(connectorStates)
        .values({ organizationId, connector, ...state })
        .onConflictDoUpdate({
          target: [connectorStates.organizationId, connectorStates.connector],
          set: state,
        }),
    ],
    audit: [
      {
        action: 'connector.fetched',
        organizationId,
        after: {
          ...{ connector, figures: kept.length, restated },
          from: formatInstant(days.from * DAY_MS).slice(0, 10),
          to: formatInstant((days.to - 1) * DAY_MS).slice(0, 10),
        },
      },
    ],
  });
  return { figures: kept.length, restated };
}

const NOTHING = {
  ...{ amountNano: 0, calls: null, fresh: null, cacheRead: null, cacheWrite: null, output: null },
};

/** Whether it was fetched when its day was settled. */
const isSettled = ({ day, fetchedAt }: FigureRow): boolean =>
  fetchedAt.getTime() >= (day + 1 + SETTLED_AFTER_DAYS) * DAY_MS;

function toRow(
  figure: Figure,
  before: FigureRow | undefined,
  { of, now }: { readonly of: ConnectorOf; readonly now: Date },
): NewRow {
  const { day, kind, label, currency, amountNano, calls, fresh, cacheRead, cacheWrite, output } = figure;
  const changed = before !== undefined && isSettled(before) && before.amountNano !== amountNano;
  return {
    ...{ ...of, day, kind, label, currency, amountNano, calls, fresh, cacheRead, cacheWrite, output },
    firstNano: before?.firstNano ?? (changed ? before.amountNano : null),
    restatedAt: changed ? now : (before?.restatedAt ?? null),
    fetchedAt: now,
  };
}

function insertsOf(ctx: Ctx, rows: readonly NewRow[]): BatchItem<'sqlite'>[] {
  return Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, i) =>
    ctx.db.sql.insert(providerFigures).values(rows.slice(i * CHUNK, (i + 1) * CHUNK)),
  );
}

/** Notes that a fetch failed; what was fetched before stays. */
export async function noteFailure(ctx: Ctx, of: ConnectorOf, error: string): Promise<void> {
  const state = { attemptedAt: new Date(ctx.now()), error: error.slice(0, 1_000) };
  await ctx.db.sql
    .insert(connectorStates)
    .values({ ...of, ...state, figures: 0, restated: 0 })
    .onConflictDoUpdate({
      target: [connectorStates.organizationId, connectorStates.connector],
      set: { ...state, restated: sql`0` },
    });
}
