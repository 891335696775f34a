import { and, eq, exists, inArray } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { newId } from '../../db/new-id.ts';
import type { Job } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { notificationStatement, notificationsWritten } from '../deliveries/index.ts';
import { listReplacements } from '../keys/index.ts';
import { type OrganizationScope, operatorOrganization } from '../tenancy/index.ts';
import { type BudgetRow, listBudgetRows } from './queries.ts';
import { readStandings, type Standing } from './status.ts';
import { budgetSubject } from './subject.ts';
import { budgetEvents, budgets } from './table.ts';
import { toNotification } from './to-notification.ts';

/** Writes an event for each level that spending has crossed, once in a period, and notifies channels in the same transaction. */
export const checkBudgets: Job = {
  name: 'budgets.check',
  summary: 'Compare spending with budgets and note the levels that were crossed',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const byOrganization = Map.groupBy(await listBudgetRows(ctx), (row) => row.organizationId);
    let crossed = 0;
    for (const [organizationId, rows] of byOrganization) {
      signal.throwIfAborted();
      crossed += await checkOrganization(ctx, operatorOrganization(organizationId), rows);
    }
    return crossed === 0 ? {} : { crossed };
  },
};

async function checkOrganization(
  ctx: Ctx,
  organization: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<number> {
  const now = ctx.now();
  await followKeys(ctx, organization, rows);
  const crossings = (await readStandings(ctx, organization, await toRead(ctx, organization, rows))).map(
    (standing) => ({
      standing,
      events: toEvents(standing, now),
    }),
  );
  const events = crossings.flatMap((crossing) => crossing.events);
  if (events.length === 0) return 0;
  // Of levels that are crossed at once, the highest is told. Its event has a new id, so it exists only if it is new.
  const notifications = crossings.flatMap(({ standing, events: own }) => {
    const highest = own.at(-1);
    if (highest === undefined) return [];
    const isNew = exists(
      ctx.db.sql.select({ id: budgetEvents.id }).from(budgetEvents).where(eq(budgetEvents.id, highest.id)),
    );
    return notificationStatement(ctx, toNotification(standing, highest.level), isNew);
  });
  const [written] = await ctx.db.sql.batch([
    ctx.db.sql
      .insert(budgetEvents)
      .values(events)
      .onConflictDoNothing()
      .returning({ budgetId: budgetEvents.budgetId, level: budgetEvents.level }),
    ...notifications,
  ]);
  for (const { budgetId, level } of written)
    ctx.log.warn({ budgetId, threshold: level }, 'a budget has crossed a level');
  if (written.length > 0) ctx.emit(notificationsWritten);
  return written.length;
}

/** Moves budgets of keys that were replaced on to the newest: a replaced key is forgotten some weeks later. */
async function followKeys(
  ctx: Ctx,
  { organizationId }: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<void> {
  if (!rows.some(({ keyId }) => keyId !== null)) return;
  const replacements = await listReplacements(ctx, organizationId);
  for (const { id, keyId } of rows) {
    const newest = replacements.get(keyId ?? '')?.at(-1);
    if (newest === undefined || newest === keyId) continue;
    await commitChange(ctx, ACTOR, {
      statements: [
        ctx.db.sql
          .update(budgets)
          .set({ keyId: newest })
          .where(and(eq(budgets.id, id), eq(budgets.organizationId, organizationId))),
      ],
      audit: [{ action: 'budget.updated', organizationId, subject: { of: budgetSubject, id } }],
    });
  }
}

const ACTOR = { kind: 'system', name: 'budgets.check' } as const;

/**
 * The budgets to read: without those of agents and tools that cannot have crossed another level, because all of their
 * project has not. They are read call by call, and a project from its sums.
 */
async function toRead(
  ctx: Ctx,
  organization: OrganizationScope,
  rows: readonly BudgetRow[],
): Promise<BudgetRow[]> {
  const named = rows.filter(isByCall);
  const ofProjects = await readStandings(
    ctx,
    organization,
    named.map((row) => ({ ...row, kind: 'project' as const })),
  );
  const crossable = ofProjects.filter(({ level }) => level !== null);
  if (crossable.length === 0) return rows.filter((row) => !isByCall(row));
  const noted = await ctx.db.sql
    .select()
    .from(budgetEvents)
    .where(
      inArray(
        budgetEvents.budgetId,
        crossable.map(({ row }) => row.id),
      ),
    );
  const open = crossable.filter(
    ({ row, period, level }) =>
      !noted.some(
        (event) =>
          event.budgetId === row.id &&
          event.periodStart.getTime() === period.from &&
          event.limitNano === row.limitNano &&
          event.level === level,
      ),
  );
  const ids = new Set(open.map(({ row }) => row.id));
  return rows.filter((row) => !isByCall(row) || ids.has(row.id));
}

const isByCall = ({ kind }: BudgetRow): boolean => kind === 'agent' || kind === 'tool';

/** An event for each level that is crossed, lowest first. */
const toEvents = ({ row, period, spent, level: crossed }: Standing, now: number) =>
  row.levels
    .filter((level) => crossed !== null && level <= crossed)
    .map((level) => ({
      id: newId('bev', now),
      organizationId: row.organizationId,
      budgetId: row.id,
      periodStart: new Date(period.from),
      level,
      limitNano: row.limitNano,
      spentNano: spent.nano,
      unpriced: spent.unpriced,
      crossedAt: new Date(now),
    }));
