import { and, asc, desc, eq, gte, isNotNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { organizations } from '../../core/orgs/table.ts';
import { formatInstant } from '../../lib/time.ts';
import type {
  Statement,
  StatementBy,
  StatementDefinition,
  StatementSettings,
  StatementSummary,
} from './contract.ts';
import { unpack } from './ledger/pack.ts';
import { statementDefinitions, statementMonths, statements } from './table.ts';

export type DefinitionRow = typeof statementDefinitions.$inferSelect;
export type MonthRow = typeof statementMonths.$inferSelect;

/** An organization's definitions. */
export async function listDefinitions(ctx: Ctx, organizationId: string): Promise<StatementDefinition[]> {
  const rows = await ctx.db.sql
    .select()
    .from(statementDefinitions)
    .where(eq(statementDefinitions.organizationId, organizationId))
    .orderBy(asc(statementDefinitions.by));
  return Promise.all(
    rows.map(async (row) => toDefinition(row, (await lastClosed(ctx, row.id))?.month ?? null)),
  );
}

function toDefinition({ settings, ...row }: DefinitionRow, lastMonth: string | null): StatementDefinition {
  return {
    id: row.id,
    organizationId: row.organizationId,
    by: row.by,
    ...settings,
    lastClosed: lastMonth,
    createdAt: formatInstant(row.createdAt.getTime()),
    updatedAt: formatInstant(row.updatedAt.getTime()),
  };
}

/** The definition of an organization for a kind of party; null if there is none. */
export async function findDefinition(
  ctx: Ctx,
  organizationId: string,
  by: StatementBy,
): Promise<DefinitionRow | null> {
  const [row] = await ctx.db.sql
    .select()
    .from(statementDefinitions)
    .where(and(eq(statementDefinitions.organizationId, organizationId), eq(statementDefinitions.by, by)));
  return row ?? null;
}

/** Definitions of organizations that exist, for jobs. */
export async function allDefinitions(
  ctx: Ctx,
): Promise<{ readonly definition: DefinitionRow; readonly organization: { id: string; name: string } }[]> {
  return ctx.db.sql
    .select({
      definition: statementDefinitions,
      organization: { id: organizations.id, name: organizations.name },
    })
    .from(statementDefinitions)
    .innerJoin(organizations, eq(organizations.id, statementDefinitions.organizationId))
    .where(sql`${organizations.deletedAt} IS NULL`)
    .orderBy(asc(statementDefinitions.id));
}

const ofDefinition = (definitionId: string) =>
  and(eq(statementMonths.definitionId, definitionId), isNotNull(statementMonths.closedAt));

/** The last closed month of a definition; null if there is none. */
export async function lastClosed(ctx: Ctx, definitionId: string): Promise<MonthRow | null> {
  const [row] = await ctx.db.sql
    .select()
    .from(statementMonths)
    .where(ofDefinition(definitionId))
    .orderBy(desc(statementMonths.month))
    .limit(1);
  return row ?? null;
}

/** The closed months of a definition, in order. */
export async function listClosed(ctx: Ctx, definitionId: string): Promise<MonthRow[]> {
  return ctx.db.sql
    .select()
    .from(statementMonths)
    .where(ofDefinition(definitionId))
    .orderBy(asc(statementMonths.month));
}

/** A closed month; null if it is open. */
export async function findClosed(ctx: Ctx, definitionId: string, month: string): Promise<MonthRow | null> {
  const [row] = await ctx.db.sql
    .select()
    .from(statementMonths)
    .where(and(ofDefinition(definitionId), eq(statementMonths.month, month)));
  return row ?? null;
}

/** Statements of a closed month from a place on. */
export async function closedSummaries(
  ctx: Ctx,
  monthId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<StatementSummary[]> {
  const rows = await ctx.db.sql
    .select({ summary: statements.summary })
    .from(statements)
    .where(and(eq(statements.monthId, monthId), gte(statements.place, from)))
    .orderBy(asc(statements.place))
    .limit(limit);
  return rows.map(({ summary }) => JSON.parse(summary) as StatementSummary);
}

/** The same, whole. */
export async function closedStatements(
  ctx: Ctx,
  monthId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<Statement[]> {
  const rows = await ctx.db.sql
    .select({ document: statements.document })
    .from(statements)
    .where(and(eq(statements.monthId, monthId), gte(statements.place, from)))
    .orderBy(asc(statements.place))
    .limit(limit);
  return rows.map(({ document }) => unpack<Statement>(document));
}

/** A party's statement of a closed month; null if it has none. */
export async function closedStatement(ctx: Ctx, monthId: string, party: string): Promise<Statement | null> {
  const [row] = await ctx.db.sql
    .select({ document: statements.document })
    .from(statements)
    .where(and(eq(statements.monthId, monthId), eq(statements.party, party)));
  return row === undefined ? null : unpack<Statement>(row.document);
}

/** Sums of statements of a closed month, as numbers: `from` a place on, or only of those with corrections. */
export async function closedSums(
  ctx: Ctx,
  monthId: string,
  {
    from,
    limit,
    corrections,
  }: { readonly from: number; readonly limit: number; readonly corrections: boolean },
): Promise<{ readonly place: number; readonly party: string; readonly values: number[] }[]> {
  const rows = await ctx.db.sql
    .select({ place: statements.place, party: statements.party, sums: statements.sums })
    .from(statements)
    .where(
      and(
        eq(statements.monthId, monthId),
        gte(statements.place, from),
        corrections ? sql`has_corrections = 1` : undefined,
      ),
    )
    .orderBy(asc(statements.place))
    .limit(limit);
  return rows.map(({ place, party, sums }) => ({ place, party, values: unpack<number[]>(sums) }));
}

export const DEFAULT_SETTINGS: StatementSettings = {
  markupPercent: 0,
  fees: [],
  minimum: null,
  currency: 'USD',
  rate: '1',
  letterhead: { name: null, address: [], footer: '' },
  closeDay: null,
  deliver: 'each',
  channelIds: [],
};
