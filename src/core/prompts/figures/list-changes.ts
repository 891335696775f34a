import { and, desc, eq, gte, lt, lte } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import { users } from '../../orgs/table.ts';
import { authorName, promptIdOf } from '../queries.ts';
import { promptLabelChanges } from '../table.ts';
import type { LabelChange } from './contract.ts';

type Asked = {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** The changes of a prompt's labels, newest first. Throws AppError 404. */
export async function listLabelChanges(
  ctx: Ctx,
  projectId: string,
  { name, start, end, cursor, limit }: Asked,
): Promise<{ changes: LabelChange[]; nextCursor: string | null }> {
  if (cursor !== undefined && !cursor.startsWith('plc_'))
    throw badRequest('cursor was not returned by this endpoint');
  const { id } = await promptIdOf(ctx, projectId, name);
  const rows = await ctx.db.sql
    .select({ change: promptLabelChanges, author: users.name })
    .from(promptLabelChanges)
    .leftJoin(users, eq(users.id, promptLabelChanges.changedBy))
    .where(
      and(
        eq(promptLabelChanges.projectId, projectId),
        eq(promptLabelChanges.promptId, id),
        start === undefined ? undefined : gte(promptLabelChanges.changedAt, new Date(start)),
        end === undefined ? undefined : lte(promptLabelChanges.changedAt, new Date(end)),
        // Ids sort by time.
        cursor === undefined ? undefined : lt(promptLabelChanges.id, cursor),
      ),
    )
    .orderBy(desc(promptLabelChanges.id))
    .limit(limit + 1);
  const changes = rows.slice(0, limit).map(({ change, author }) => ({
    id: change.id,
    label: change.label,
    previous: change.previous && [...change.previous],
    versions: change.versions && [...change.versions],
    changedBy: authorName(author, change.changedBy),
    changedAt: formatInstant(change.changedAt.getTime()),
  }));
  return { changes, nextCursor: rows.length > limit ? (changes.at(-1)?.id ?? null) : null };
}
