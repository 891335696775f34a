import { and, eq, notExists } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange } from '../../core/audit/index.ts';
import { listChannels } from '../../core/deliveries/index.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import type { StatementBy, StatementDefinition, StatementSettings } from './contract.ts';
import { findDefinition, listDefinitions } from './queries.ts';
import { definitionSubject } from './subject.ts';
import { statementDefinitions, statementMonths } from './table.ts';

type Saved = {
  readonly organizationId: string;
  readonly by: StatementBy;
  readonly settings: StatementSettings;
};

/**
 * Writes the definition of an organization for a kind of party: a new one, or in the place of the one that it has.
 * @throws AppError 400 for a channel of others
 */
export async function saveDefinition(
  ctx: Ctx,
  actor: Actor,
  { organizationId, by, settings }: Saved,
): Promise<StatementDefinition> {
  const channels = (await listChannels(ctx, organizationId)).map(({ id }) => id);
  const unknown = settings.channelIds.find((id) => !channels.includes(id));
  if (unknown !== undefined) throw badRequest(`channelIds: the organization has no channel ${unknown}`);
  const known = await findDefinition(ctx, organizationId, by);
  const now = new Date(ctx.now());
  const id = known?.id ?? newId('std', ctx.now());
  const statement =
    known === null
      ? ctx.db.sql
          .insert(statementDefinitions)
          .values({ id, organizationId, by, settings, createdAt: now, updatedAt: now })
          .onConflictDoNothing()
      : ctx.db.sql
          .update(statementDefinitions)
          .set({ settings, updatedAt: now })
          .where(eq(statementDefinitions.id, id));
  const [changed] = await commitChange(ctx, actor, {
    statements: [statement],
    audit: [
      {
        action: `statement_definition.${known === null ? 'created' : 'updated'}`,
        organizationId,
        subject: { of: definitionSubject, id },
      },
    ],
  });
  if (changed === 0) throw conflict(`The definition for ${by} was changed by somebody else; try again`);
  const all = await listDefinitions(ctx, organizationId);
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw notFound(`There is no definition for ${by}`);
  return found;
}

/** Deletes a definition. @throws AppError 404; 409 if it has closed months, because these never change */
export async function deleteDefinition(
  ctx: Ctx,
  actor: Actor,
  { organizationId, by }: Omit<Saved, 'settings'>,
): Promise<void> {
  const found = await findDefinition(ctx, organizationId, by);
  if (found === null) throw notFound(`There is no definition for ${by}`);
  const months = ctx.db.sql
    .select({ id: statementMonths.id })
    .from(statementMonths)
    .where(eq(statementMonths.definitionId, found.id));
  const [changed] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .delete(statementDefinitions)
        .where(and(eq(statementDefinitions.id, found.id), notExists(months))),
    ],
    audit: [
      {
        action: 'statement_definition.deleted',
        organizationId,
        subject: { of: definitionSubject, id: found.id },
      },
    ],
  });
  if (changed === 0)
    throw conflict(
      `The definition for ${by} has closed months, which stay; set closeDay to null to close no more`,
    );
}
