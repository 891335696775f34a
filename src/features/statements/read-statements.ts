import type { Ctx } from '../../context.ts';
import { findOrganization } from '../../core/orgs/index.ts';
import { collectAfter } from '../../db/collect-garbage.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant, monthKey } from '../../lib/time.ts';
import { summaryOf } from './close/close-month.ts';
import { COLLECTED, readOpenMonth, totalsOf } from './compute/billing-month.ts';
import { toStatement } from './compute/to-statement.ts';
import type { Statement, StatementBy, Statements } from './contract.ts';
import { partyKey } from './ledger/ledger-table.ts';
import {
  closedStatement,
  closedStatements,
  closedSummaries,
  DEFAULT_SETTINGS,
  findClosed,
  findDefinition,
  type MonthRow,
} from './queries.ts';

export type StatementsQuery = {
  readonly organizationId: string;
  readonly by: StatementBy;
  readonly month: string;
};

type Page = { readonly from: number; readonly limit: number; readonly lines: boolean };
export const DEFAULT_LIMIT = 50;

/** A month's statements: as they were closed, or as they would be now. */
export async function readStatements(
  ctx: Ctx,
  { from, limit, lines, ...query }: StatementsQuery & Page,
): Promise<Statements> {
  const month = await openOrClosed(ctx, query);
  if (month.kind === 'closed') return closedPage(ctx, month, { from, limit, lines });
  const { open, defined } = month;
  const { settings, accounts: _, nameOf: __, ...head } = open.head;
  const totals = await totalsOf(open);
  const page = open.owed.slice(from, from + limit).map((owed) => toStatement(open.head, owed, null));
  return {
    ...head,
    ...shownSettings(settings),
    ...totals,
    defined,
    statements: page.map((one) => ({ ...summaryOf(one), ...(lines && { lines: one.lines }) })),
    nextCursor: from + limit < totals.count ? String(from + limit) : null,
  };
}

const shownSettings = ({ currency, rate, markupPercent }: MonthRow['settings']) => ({
  currency,
  rate,
  markupPercent,
});

type Closed = {
  readonly kind: 'closed';
  readonly row: MonthRow;
  readonly organization: { readonly id: string; readonly name: string };
  readonly by: StatementBy;
};
type Open = {
  readonly kind: 'open';
  readonly open: Awaited<ReturnType<typeof readOpenMonth>>;
  readonly defined: boolean;
};

async function openOrClosed(
  ctx: Ctx,
  { organizationId, by, month }: StatementsQuery,
): Promise<Closed | Open> {
  const definition = await findDefinition(ctx, organizationId, by);
  const row = definition === null ? null : await findClosed(ctx, definition.id, month);
  const organization = await findOrganization(ctx, organizationId);
  if (row !== null) return { kind: 'closed', row, organization, by };
  if (month > monthKey(ctx.now())) throw badRequest(`month: ${month} has not begun`);
  const settings = definition?.settings ?? DEFAULT_SETTINGS;
  const open = await readOpenMonth(ctx, { organization, by, month, definition, settings });
  return { kind: 'open', open, defined: definition !== null };
}

const closedHead = ({ month, closedAt }: MonthRow) => ({
  month,
  status: 'closed' as const,
  closedAt: formatInstant(closedAt?.getTime() ?? 0),
});

async function closedPage(
  ctx: Ctx,
  { row, organization, by }: Closed,
  { from, limit, lines }: Page,
): Promise<Statements> {
  const page = lines
    ? (await closedStatements(ctx, row.id, { from, limit })).map((one) => ({
        ...summaryOf(one),
        lines: one.lines,
      }))
    : await closedSummaries(ctx, row.id, { from, limit });
  return {
    organizationId: organization.id,
    organization: organization.name,
    by,
    ...closedHead(row),
    ...shownSettings(row.settings),
    defined: true,
    count: row.statements,
    calls: row.calls,
    unpriced: row.unpriced,
    costNano: row.costNano,
    correctionsNano: row.correctionsNano,
    total: row.total,
    statements: page,
    nextCursor: from + limit < row.statements ? String(from + limit) : null,
  };
}

type PartyQuery = StatementsQuery & { readonly party: string | null; readonly projectId: string | null };

/** A party's statement; one without lines if it has no calls. Users and keys belong to a project. */
export async function readStatement(
  ctx: Ctx,
  { party, projectId, ...query }: PartyQuery,
): Promise<Statement> {
  const month = await openOrClosed(ctx, query);
  const wanted = { projectId: query.by === 'project' ? party : projectId, name: party };
  const nobody = { party: wanted, rows: [], corrections: [] };
  if (month.kind === 'open') {
    const { head, owed } = month.open;
    return toStatement(head, owed.find(wanted) ?? nobody, null);
  }
  const found = await closedStatement(ctx, month.row.id, partyKey(wanted));
  if (found !== null) return found;
  const { organization, row, by } = month;
  const head = {
    ...closedHead(row),
    organizationId: organization.id,
    organization: organization.name,
    by,
    settings: row.settings,
    accounts: [],
    nameOf: () => party ?? `Calls without ${by}`,
  };
  return toStatement(head, nobody, null);
}

const SLICE = 50;

/** All statements of a month, some at a time. */
export async function* eachStatement(ctx: Ctx, query: StatementsQuery): AsyncGenerator<readonly Statement[]> {
  const month = await openOrClosed(ctx, query);
  const made = collectAfter(COLLECTED);
  if (month.kind === 'open') {
    const { head, owed } = month.open;
    for (let from = 0; from < owed.length; from += SLICE) {
      yield owed.slice(from, from + SLICE).map((one) => toStatement(head, one, null));
      made(SLICE);
      await Bun.sleep(0);
    }
    return;
  }
  for (let from = 0; from < month.row.statements; from += SLICE) {
    yield await closedStatements(ctx, month.row.id, { from, limit: SLICE });
    made(SLICE);
  }
}
