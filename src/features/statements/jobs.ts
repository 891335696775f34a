import { and, isNotNull, lt, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { listProjects } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { DAY_MS, monthKey } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import { closeMonth } from './close/close-month.ts';
import { sendStatements } from './close/send-statements.ts';
import type { StatementBy } from './contract.ts';
import { monthAfter, monthOf } from './ledger/month.ts';
import { keepDays, keptStamps, toKept } from './ledger/read-day.ts';
import { allDefinitions, type DefinitionRow, lastClosed } from './queries.ts';
import { statementMonths } from './table.ts';

/** Longer than any plan keeps events. */
const DAYS_BACK = 400;
/** Days that are written in one transaction. */
const SLICE = 8;

/** Runs before retention deletes events, so that a statement needs none. */
export const keepDaysJob: Job = {
  name: 'statements.keep_days',
  summary: 'Keep the sums of each day that statements need, before retention deletes its events',
  schedule: '20 2 * * *',
  run: async (ctx, signal) => {
    const today = Math.floor(ctx.now() / DAY_MS);
    let kept = 0;
    for (const { definition, organization } of await allDefinitions(ctx)) {
      const by = definition.by as StatementBy;
      for (const project of await listProjects(ctx, organization.id)) {
        const scope = operatorScope(project);
        const stamps = await keptStamps(ctx, { scope, by });
        const states = await eventsOf(ctx).ledgerDays(scope, { from: today - DAYS_BACK, to: today });
        const changed = states.filter(
          ({ day, stamp, complete }) => complete && stamp !== '' && stamps.get(day) !== stamp,
        );
        for (let from = 0; from < changed.length; from += SLICE) {
          const days = [];
          for (const { day } of changed.slice(from, from + SLICE)) {
            signal.throwIfAborted();
            const found = await toKept(ctx, { scope, by, day });
            if (found !== null) days.push(found);
          }
          await keepDays(ctx, days);
          kept += days.length;
        }
      }
    }
    return { kept };
  },
};

/** Closes months on the day that a definition names, and goes on with what channels could not take yet. */
export const closeMonthsJob: Job = {
  name: 'statements.close',
  summary: 'Close the months that are due, and hand their statements to channels',
  schedule: '*/10 * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let [closed, sent, failed] = [0, 0, 0];
    for (const { definition, organization } of await allDefinitions(ctx)) {
      const actor = { kind: 'system', name: 'statements.close' } as const;
      try {
        for (
          let month = await dueMonth(ctx, definition);
          month !== null;
          month = await dueMonth(ctx, definition)
        ) {
          signal.throwIfAborted();
          await closeMonth(ctx, actor, { organization, definition, month, signal });
          closed++;
        }
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        ctx.log.error({ err: error, definition: definition.id }, 'a month was not closed; it is tried again');
      }
    }
    for (const month of await unsentMonths(ctx)) sent += await sendStatements(ctx, month);
    return { ...(closed > 0 && { closed }), ...(sent > 0 && { sent }), ...(failed > 0 && { failed }) };
  },
};

/** The month that a definition has to close now; null if there is none. The first is the one in which it was made. */
async function dueMonth(ctx: Ctx, { id, settings, createdAt }: DefinitionRow): Promise<string | null> {
  if (settings.closeDay === null) return null;
  const last = await lastClosed(ctx, id);
  const month = last === null ? monthKey(createdAt.getTime()) : monthAfter(last.month);
  const due = (monthOf(month).to + settings.closeDay - 1) * DAY_MS;
  return ctx.now() >= due ? month : null;
}

const unsentMonths = (ctx: Ctx) =>
  ctx.db.sql
    .select()
    .from(statementMonths)
    .where(
      and(
        isNotNull(statementMonths.closedAt),
        lt(
          statementMonths.notified,
          sql`CASE settings ->> '$.deliver' WHEN 'each' THEN statements ELSE min(statements, 1) END`,
        ),
        sql`json_array_length(settings, '$.channelIds') > 0`,
      ),
    );
