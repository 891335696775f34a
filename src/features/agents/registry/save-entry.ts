import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { AppError, conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { type EntryBody, type EntryKind, type EntryNote, MAX_ENTRIES } from '../contract.ts';
import { registryEntrySubject } from '../subject.ts';
import { registryEntries } from '../table.ts';
import { readNote } from './queries.ts';

/** Who writes about an agent or tool of a project. */
type Editor = { readonly scope: ProjectScope; readonly userId: string; readonly actor: Actor };

/**
 * Keeps what people say about an agent or tool.
 * @throws AppError 400 for a merge into itself, 409 for a merge with one that is merged, and for one entry too many
 */
export async function saveEntry(
  ctx: Ctx,
  { scope, userId, actor }: Editor,
  { kind, name, body }: { readonly kind: EntryKind; readonly name: string; readonly body: EntryBody },
): Promise<EntryNote> {
  const { projectId, organizationId } = scope;
  const target = body.mergedInto ?? '';
  if (target === name) throw new AppError(400, `The ${kind} ${name} can't be merged into itself`);
  const id = `entry_${Bun.SHA256.hash(JSON.stringify([projectId, kind, name]), 'hex').slice(0, 26)}`;
  const updated = { updatedBy: userId, updatedAt: new Date(ctx.now()) };
  const { mergedInto, ...said } = body;
  const set = { ...said, ...(mergedInto === undefined ? {} : { mergedInto: target }), ...updated };
  const ofProject = sql`project_id = ${projectId}`;
  // Chains of merges would depend on the order in which people made them.
  const isChain = sql`(${target} <> '' AND EXISTS (SELECT 1 FROM registry_entries WHERE ${ofProject} AND kind = ${kind}
    AND ((name = ${target} AND merged_into <> '') OR merged_into = ${name})))`;
  const isFull = sql`((SELECT count(*) FROM registry_entries WHERE ${ofProject}) >= ${MAX_ENTRIES}
    AND NOT EXISTS (SELECT 1 FROM registry_entries WHERE id = ${id}))`;
  const [changed = 0] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .insert(registryEntries)
        .select(
          sql`SELECT ${id}, ${organizationId}, ${projectId}, ${kind}, ${name}, ${said.owner ?? ''},
            ${said.description ?? ''}, ${said.url ?? ''}, ${Number(said.hidden ?? false)}, ${target}, ${userId},
            ${updated.updatedAt.getTime()} WHERE NOT ${isChain} AND NOT ${isFull}`,
        )
        .onConflictDoUpdate({ target: registryEntries.id, set }),
    ],
    audit: [
      {
        action: 'registry_entry.updated',
        organizationId,
        projectId,
        subject: { of: registryEntrySubject, id },
      },
    ],
  });
  if (changed === 0)
    throw conflict(
      target === ''
        ? `A project has at most ${MAX_ENTRIES} described agents and tools`
        : `Merge into a name that is not merged itself, and take back merges into ${name} first`,
    );
  return readNote(ctx, { projectId, kind, name });
}
