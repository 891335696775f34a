import { and, eq, lte, type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { ofProjects, type ProjectScope } from '../tenancy/index.ts';
import type { ManyLines } from './contract.ts';
import { listErrors } from './queries.ts';

/** The columns by which lines are chosen; effects write the table. */
const lines = sqliteTable('quarantined_events', {
  id: text('id').primaryKey(),
  project: integer('project').notNull(),
  error: text('error').notNull(),
});

type Chosen = { readonly ids: readonly string[] } | ManyLines;

/** Deletes refused lines, by their ids or all of a reason; returns their number. */
export async function dismissLines(
  ctx: Ctx,
  actor: Actor,
  { scope, chosen }: { readonly scope: ProjectScope; readonly chosen: Chosen },
): Promise<number> {
  const { organizationId, projectId } = scope;
  const isChosen = await whereOf(ctx, scope, chosen);
  const after =
    'ids' in chosen ? { lines: chosen.ids } : { reason: chosen.reason ?? 'all', up_to: chosen.upTo };
  const [dismissed = 0] = await commitChange(ctx, actor, {
    statements: [ctx.db.sql.delete(lines).where(and(eq(lines.project, scope.no), isChosen))],
    audit: [{ action: 'quarantine.dismissed', organizationId, projectId, after }],
  });
  return dismissed;
}

async function whereOf(ctx: Ctx, scope: ProjectScope, chosen: Chosen): Promise<SQL | undefined> {
  const isOneOf = (column: typeof lines.id | typeof lines.error, values: readonly string[]): SQL =>
    sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
  if ('ids' in chosen) return isOneOf(lines.id, chosen.ids);
  const isSeen = lte(lines.id, chosen.upTo);
  if (chosen.reason === undefined) return isSeen;
  const errors = (await ctx.db.read(listErrors, ofProjects([scope]), chosen.reason)).parse();
  return and(isSeen, isOneOf(lines.error, errors));
}
