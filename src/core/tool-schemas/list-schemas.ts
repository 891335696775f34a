import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import type { ToolProperty, ToolSchema } from './contract.ts';
import { toolSchemas } from './table.ts';

/** The schemas that tools of some names had, newest first, each with what changed since the one before. */
export async function listToolSchemas(
  ctx: Ctx,
  projectId: string,
  tools: readonly string[],
): Promise<ToolSchema[]> {
  const rows = await ctx.db.sql
    .select()
    .from(toolSchemas)
    .where(and(eq(toolSchemas.projectId, projectId), inArray(toolSchemas.tool, [...tools])))
    .orderBy(desc(toolSchemas.firstSeen), desc(toolSchemas.id));
  const read = rows.map((row) => propertiesOf(row.properties));
  return rows.map(({ fingerprint, firstSeen, lastSeen }, i) => ({
    id: fingerprint,
    firstSeen: formatInstant(firstSeen),
    lastSeen: formatInstant(lastSeen),
    properties: read[i] ?? [],
    ...changesOf(read[i + 1], read[i] ?? []),
  }));
}

type Stored = readonly (readonly [path: string, type: string, required: 0 | 1])[];
const propertiesOf = (text: string): ToolProperty[] =>
  (JSON.parse(text) as Stored).map(([path, type, required]) => ({ path, type, required: required === 1 }));

/** What a schema has otherwise than the one before; nothing for the first. */
export function changesOf(
  before: readonly ToolProperty[] | undefined,
  after: readonly ToolProperty[],
): Pick<ToolSchema, 'added' | 'removed' | 'changed'> {
  if (before === undefined) return { added: [], removed: [], changed: [] };
  const known = new Map(before.map((one) => [one.path, one]));
  const paths = new Set(after.map(({ path }) => path));
  return {
    added: after.filter(({ path }) => !known.has(path)).map(({ path }) => path),
    removed: before.filter(({ path }) => !paths.has(path)).map(({ path }) => path),
    changed: after
      .filter(({ path, type, required }) => {
        const one = known.get(path);
        return one !== undefined && (one.type !== type || one.required !== required);
      })
      .map(({ path }) => path),
  };
}
