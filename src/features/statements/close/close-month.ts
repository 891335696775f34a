import { and, eq, isNull } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { collectAfter, collectAllGarbage } from '../../../db/collect-garbage.ts';
import { newId } from '../../../db/new-id.ts';
import { conflict, notFound } from '../../../errors.ts';
import { toDecimal } from '../../../lib/billing/decimal.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { moneyOf } from '../compute/amounts.ts';
import { COLLECTED, type OpenMonth, readOpenMonth, SLICE, unitsOf } from '../compute/billing-month.ts';
import { type Owed, toStatement } from '../compute/to-statement.ts';
import type { Statement, StatementBy, StatementSummary } from '../contract.ts';
import { type Account, partyKey, rowNumbers } from '../ledger/ledger-table.ts';
import { monthAfter, monthOf } from '../ledger/month.ts';
import { pack } from '../ledger/pack.ts';
import { isLarge } from '../ledger/read-month.ts';
import { type DefinitionRow, findClosed, lastClosed, type MonthRow } from '../queries.ts';
import { monthSubject } from '../subject.ts';
import { statementMonths, statements } from '../table.ts';

export type Closing = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly definition: DefinitionRow;
  readonly month: string;
  readonly signal?: AbortSignal;
};

/**
 * Closes a month: stores its statements, which never change again. They count once all are stored, so that a crash leaves
 * the month open.
 * @throws AppError 409 if the month has not ended, is closed, or an earlier one is open
 */
export async function closeMonth(ctx: Ctx, actor: Actor, closing: Closing): Promise<MonthRow> {
  const { organization, definition, month } = closing;
  await checkOrder(ctx, closing);
  const by = definition.by as StatementBy;
  const open = await readOpenMonth(ctx, { ...closing, by, settings: definition.settings });
  const now = ctx.now();
  const id = newId('stm', now);
  const { accounts, months, numbersOf } = numbering(open);
  await ctx.db.sql
    .delete(statementMonths)
    .where(and(eq(statementMonths.definitionId, definition.id), isNull(statementMonths.closedAt)));
  await ctx.db.sql.insert(statementMonths).values({
    id,
    organizationId: organization.id,
    definitionId: definition.id,
    month,
    closedAt: null,
    settings: definition.settings,
    accounts: pack(accounts),
    months,
    marks: open.marks,
    statements: open.owed.length,
    calls: 0,
    unpriced: 0,
    costNano: 0,
    correctionsNano: 0,
    total: '0',
    notified: 0,
  });
  try {
    const sums = await writeStatements(ctx, { closing, open, id, numbersOf, now });
    if (isLarge(open.table)) collectAllGarbage();
    return await finish(ctx, actor, { closing, id, sums, now });
  } catch (error) {
    await ctx.db.sql.delete(statementMonths).where(isUnfinished(id));
    throw error;
  }
}

const isUnfinished = (id: string) => and(eq(statementMonths.id, id), isNull(statementMonths.closedAt));

type Sums = Pick<MonthRow, 'calls' | 'unpriced' | 'costNano' | 'correctionsNano' | 'total'>;
type Writing = {
  readonly closing: Closing;
  readonly open: OpenMonth;
  readonly id: string;
  readonly now: number;
  numbersOf(owed: Owed): number[];
};

/** Writes the statements of a month, some at a time. Returns their sums. */
async function writeStatements(ctx: Ctx, { closing, open, id, numbersOf, now }: Writing): Promise<Sums> {
  const { organization, definition, month } = closing;
  const head = { ...open.head, status: 'closed' as const, closedAt: formatInstant(now) };
  const { decimals } = moneyOf(definition.settings);
  const sums = { calls: 0, unpriced: 0, costNano: 0, correctionsNano: 0 };
  const made = collectAfter(COLLECTED);
  let total = 0n;
  for (let from = 0; from < open.owed.length; from += SLICE) {
    closing.signal?.throwIfAborted();
    const rows = open.owed.slice(from, from + SLICE).map((owed, i) => {
      const statement = toStatement(head, owed, numberOf(month, from + i));
      sums.calls += statement.calls;
      sums.unpriced += statement.unpriced;
      sums.costNano += statement.costNano;
      sums.correctionsNano += statement.correctionsNano;
      total += unitsOf(statement.total, decimals);
      return {
        monthId: id,
        place: from + i,
        organizationId: organization.id,
        party: partyKey(owed.party),
        hasCorrections: owed.corrections.length > 0,
        summary: JSON.stringify(summaryOf(statement)),
        document: pack(statement),
        sums: pack(numbersOf(owed)),
      };
    });
    await ctx.db.sql.insert(statements).values(rows);
    made(rows.length);
  }
  return { ...sums, total: toDecimal(total, decimals) };
}

type Finish = {
  readonly closing: Closing;
  readonly id: string;
  readonly sums: Sums;
  readonly now: number;
};

/** From now on the statements count. Another closing of the same month has deleted this one, or the other way round. */
async function finish(ctx: Ctx, actor: Actor, { closing, id, sums, now }: Finish): Promise<MonthRow> {
  const { organization, definition, month } = closing;
  const [changed] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(statementMonths)
        .set({ ...sums, closedAt: new Date(now) })
        .where(isUnfinished(id)),
    ],
    audit: [
      {
        action: 'statement.closed',
        organizationId: organization.id,
        subject: { of: monthSubject, id },
      },
    ],
  });
  if (changed === 0) throw conflict(`${month} is being closed by somebody else; look again in a moment`);
  const row = await findClosed(ctx, definition.id, month);
  if (row === null) throw notFound(`There is no closed month ${month}`);
  return row;
}

async function checkOrder(ctx: Ctx, { definition, month }: Closing): Promise<void> {
  const end = monthOf(month).to * DAY_MS;
  if (ctx.now() < end)
    throw conflict(`${month} has not ended; it can be closed from ${formatInstant(end)} on`);
  const last = await lastClosed(ctx, definition.id);
  if (last === null) return;
  if (month <= last.month) throw conflict(`${month} is closed: ${last.month} is the last closed month`);
  const next = monthAfter(last.month);
  if (month !== next) throw conflict(`${next} is open; months are closed in order, so close it first`);
}

const numberOf = (month: string, place: number): string => `${month}-${String(place + 1).padStart(4, '0')}`;

export const summaryOf = (statement: Statement): StatementSummary => {
  const { party, projectId, name, number, calls, unpriced, costNano, correctionsNano, total } = statement;
  return { party, projectId, name, number, calls, unpriced, costNano, correctionsNano, total };
};

/** One list of accounts for the rows of the month and of those that it corrects. */
function numbering({ head, table, corrections }: OpenMonth) {
  const accounts: Account[] = [...table.accounts];
  const months = [head.month, ...corrections.map(({ month }) => month)];
  const starts = new Map<string, number>();
  for (const { month, table: changed } of corrections) {
    starts.set(month, accounts.length);
    accounts.push(...changed.accounts);
  }
  const numbersOf = ({ rows, corrections: own }: Owed): number[] => [
    ...rows.flatMap((row) => [0, row.account, ...rowNumbers(row)]),
    ...own.flatMap(({ month, rows: changed }) =>
      changed.flatMap((row) => [
        months.indexOf(month),
        (starts.get(month) ?? 0) + row.account,
        ...rowNumbers(row),
      ]),
    ),
  ];
  return { accounts, months, numbersOf };
}
