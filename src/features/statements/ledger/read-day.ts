import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../../context.ts';
import {
  eventsOf,
  type LedgerDay,
  type LedgerParty,
  type LedgerRows,
  ledgerRowNumbers,
} from '../../../core/events/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { statementDays } from '../table.ts';
import { pack, unpack } from './pack.ts';

/** A day of a project by party. `rows`: as the store has them, or the numbers of rows that were kept. */
export type Day = Pick<LedgerDay, 'parties' | 'accounts'> & { readonly rows: LedgerRows | readonly number[] };
/** The state of a day in the store. */
export type DayState = Awaited<ReturnType<ReturnType<typeof eventsOf>['ledgerDays']>>[number];

const KEPT_BYTES = 16 * 1024 * 1024;

type Recent = { readonly names: Buffer; readonly rows: LedgerRows };

/** Days that were read lately and have not changed, packed. */
export const recentDays: Service<LRUCache<string, Recent>> = {
  name: 'statements.days',
  open: () =>
    new LRUCache({
      maxSize: KEPT_BYTES,
      sizeCalculation: ({ names, rows }) => names.byteLength + rows.byteLength + 1,
    }),
};

type Of = { readonly scope: ProjectScope; readonly by: LedgerParty };
type Wanted = Of & { readonly state: DayState };

/**
 * A day of the ledger. It is read from the events unless it was kept and has not changed since; a day from which events
 * are gone is read as it was kept, if it was.
 */
export async function readDay(ctx: Ctx, { scope, by, state }: Wanted): Promise<Day> {
  const kept = await findKept(ctx, { scope, by, state });
  if (kept !== null) return kept;
  const { day, stamp, complete } = state;
  if (stamp === '') return { parties: [], accounts: [], rows: [] };
  const recent = ctx.use(recentDays);
  const key = JSON.stringify([scope.projectId, by, day, stamp, complete]);
  const known = recent.get(key);
  if (known !== undefined)
    return { ...unpack<Pick<Day, 'parties' | 'accounts'>>(known.names), rows: known.rows };
  const { parties, accounts, rows, ...seen } = await eventsOf(ctx).ledgerDay(scope, { day, by });
  recent.set(JSON.stringify([scope.projectId, by, day, seen.stamp, seen.complete]), {
    names: pack({ parties, accounts }),
    rows,
  });
  return { parties, accounts, rows };
}

async function findKept(ctx: Ctx, { scope, by, state }: Wanted): Promise<Day | null> {
  const [row] = await ctx.db.sql
    .select()
    .from(statementDays)
    .where(
      and(
        eq(statementDays.projectId, scope.projectId),
        eq(statementDays.by, by),
        eq(statementDays.day, state.day),
        ...(state.complete ? [eq(statementDays.stamp, state.stamp)] : []),
      ),
    );
  if (row === undefined) return null;
  return { parties: JSON.parse(row.parties), ...unpack<KeptSums>(row.sums) };
}

type KeptDay = typeof statementDays.$inferInsert;
/** `rows`: as `ledgerRowNumbers` makes them. */
type KeptSums = Pick<Day, 'accounts'> & { readonly rows: readonly number[] };

/** A day as it is kept; null if events are gone from it. */
export async function toKept(
  ctx: Ctx,
  { scope, by, day }: Of & { readonly day: number },
): Promise<KeptDay | null> {
  const { stamp, complete, parties, accounts, rows } = await eventsOf(ctx).ledgerDay(scope, { day, by });
  if (!complete) return null;
  const { projectId } = scope;
  const sums: KeptSums = { accounts, rows: ledgerRowNumbers(rows) };
  return { projectId, by, day, stamp, parties: JSON.stringify(parties), sums: pack(sums) };
}

/** Keeps days, in the place of what was kept of them. */
export async function keepDays(ctx: Ctx, days: readonly KeptDay[]): Promise<void> {
  if (days.length === 0) return;
  await ctx.db.sql
    .insert(statementDays)
    .values([...days])
    .onConflictDoUpdate({
      target: [statementDays.projectId, statementDays.by, statementDays.day],
      set: { stamp: sql`excluded.stamp`, parties: sql`excluded.parties`, sums: sql`excluded.sums` },
    });
}

/** What is kept of a range of days, as texts that change with it. */
export async function keptMarks(
  ctx: Ctx,
  { scope, by }: Of,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<string[]> {
  const rows = await ctx.db.sql
    .select({ day: statementDays.day, stamp: statementDays.stamp, parties: statementDays.parties })
    .from(statementDays)
    .where(
      and(
        eq(statementDays.projectId, scope.projectId),
        eq(statementDays.by, by),
        gte(statementDays.day, from),
        lt(statementDays.day, to),
      ),
    );
  return rows.map(({ day, stamp, parties }) => `${day} ${stamp} ${Bun.hash(parties)}`);
}

/** The stamps of kept days by day. */
export async function keptStamps(ctx: Ctx, { scope, by }: Of): Promise<Map<number, string>> {
  const rows = await ctx.db.sql
    .select({ day: statementDays.day, stamp: statementDays.stamp })
    .from(statementDays)
    .where(and(eq(statementDays.projectId, scope.projectId), eq(statementDays.by, by)));
  return new Map(rows.map(({ day, stamp }) => [day, stamp]));
}
