import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { LinkRenames } from '../../../core/events/index.ts';
import type { EntryKind, EntryNote } from '../contract.ts';
import { registryEntries } from '../table.ts';

/** What people say about the agents and tools of a project. */
export type Registry = {
  /** The note on a name; empty without one. */
  noteOf(kind: EntryKind, name: string): EntryNote;
  isHidden(kind: EntryKind, name: string): boolean;
  /** Names whose figures count under a name. */
  mergedInto(kind: EntryKind, name: string): string[];
  /** The name that counts for each that was merged. */
  readonly renames: LinkRenames;
};

const NO_NOTE: EntryNote = { owner: '', description: '', url: '', hidden: false, mergedInto: null };
/** Merges of merges are followed this far, so that a ring ends. */
const MAX_STEPS = 20;

export async function readRegistry(ctx: Ctx, projectId: string): Promise<Registry> {
  const rows = await ctx.db.sql
    .select()
    .from(registryEntries)
    .where(eq(registryEntries.projectId, projectId));
  const notes = new Map(
    rows.map(({ kind, name, owner, description, url, hidden, mergedInto }): [string, EntryNote] => [
      keyOf(kind, name),
      { owner, description, url, hidden, mergedInto: mergedInto || null },
    ]),
  );
  const finalName = (kind: EntryKind, name: string): string => {
    let found = name;
    for (let step = 0; step < MAX_STEPS; step++) found = notes.get(keyOf(kind, found))?.mergedInto ?? found;
    return found;
  };
  const renamesOf = (kind: EntryKind): Record<string, string> =>
    Object.fromEntries(
      rows
        .filter((row) => row.kind === kind && row.mergedInto !== '')
        .map(({ name }) => [name, finalName(kind, name)]),
    );
  const noteOf = (kind: EntryKind, name: string): EntryNote => notes.get(keyOf(kind, name)) ?? NO_NOTE;
  const renames = { agent: renamesOf('agent'), tool: renamesOf('tool') };
  return {
    noteOf,
    isHidden: (kind, name) => noteOf(kind, name).hidden,
    mergedInto: (kind, name) =>
      Object.entries(renames[kind]).flatMap(([merged, into]) => (into === name ? merged : [])),
    renames,
  };
}

/** The note on one name, as it is stored. */
export async function readNote(
  ctx: Ctx,
  { projectId, kind, name }: { readonly projectId: string; readonly kind: EntryKind; readonly name: string },
): Promise<EntryNote> {
  const [row] = await ctx.db.sql
    .select()
    .from(registryEntries)
    .where(
      and(
        eq(registryEntries.projectId, projectId),
        eq(registryEntries.kind, kind),
        eq(registryEntries.name, name),
      ),
    );
  if (row === undefined) return NO_NOTE;
  const { owner, description, url, hidden, mergedInto } = row;
  return { owner, description, url, hidden, mergedInto: mergedInto || null };
}

const keyOf = (kind: EntryKind, name: string): string => `${kind} ${name}`;
