import { and, desc, eq, gt, inArray } from 'drizzle-orm';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import type { GuardrailReply, guardrailVersionSchema } from './contract.ts';
import type { checkSchema } from './input/contract.ts';
import { guardrails, guardrailVersions } from './table.ts';
import { shownChecks } from './webhook-links.ts';

export type GuardrailRow = typeof guardrails.$inferSelect;

type WireChecks = z.input<typeof checkSchema>[];
const iso = (time: Date): string => formatInstant(time.getTime());

/** What a guardrail does, as the API shows it. The checks were read by the schema when they were written. */
const versionOf = (
  row: Pick<GuardrailRow, 'version' | 'stage' | 'checks' | 'failureMode' | 'environments' | 'sampleRate'>,
) => ({
  version: row.version,
  stage: row.stage,
  checks: shownChecks(row.checks) as WireChecks,
  failureMode: row.failureMode,
  environments: [...row.environments],
  sampleRate: row.sampleRate,
});

/** A row as the API shows it. */
export const toGuardrail = (row: GuardrailRow): GuardrailReply => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  description: row.description,
  ...versionOf(row),
  enabled: row.enabled,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

/** A page of the guardrails of a project by name. */
export async function listGuardrails(
  ctx: Ctx,
  projectId: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ guardrails: GuardrailReply[]; nextCursor: string | null }> {
  const rows = await ctx.db.sql
    .select()
    .from(guardrails)
    .where(
      and(
        eq(guardrails.projectId, projectId),
        cursor === undefined ? undefined : gt(guardrails.name, cursor),
      ),
    )
    .orderBy(guardrails.name)
    .limit(limit + 1);
  const page = rows.slice(0, limit).map(toGuardrail);
  return { guardrails: page, nextCursor: rows.length > limit ? (page.at(-1)?.name ?? null) : null };
}

/** All guardrails of a project that are enabled, by name. */
export const enabledGuardrails = (ctx: Ctx, projectId: string): Promise<GuardrailRow[]> =>
  ctx.db.sql
    .select()
    .from(guardrails)
    .where(and(eq(guardrails.projectId, projectId), eq(guardrails.enabled, true)))
    .orderBy(guardrails.name);

/** Those of some names that do not exist in a project. */
export async function unknownNames(ctx: Ctx, projectId: string, names: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.sql
    .select({ name: guardrails.name })
    .from(guardrails)
    .where(and(eq(guardrails.projectId, projectId), inArray(guardrails.name, [...names])));
  return names.filter((name) => !rows.some((row) => row.name === name));
}

/** A guardrail by its id, or by its name for the command line. Throws AppError 404. */
export async function findGuardrail(ctx: Ctx, projectId: string, id: string): Promise<GuardrailRow> {
  const of = eq(guardrails.projectId, projectId);
  const [row] = await ctx.db.sql
    .select()
    .from(guardrails)
    .where(and(eq(guardrails.id, id), of));
  if (row !== undefined) return row;
  const [named] = await ctx.db.sql
    .select()
    .from(guardrails)
    .where(and(eq(guardrails.name, id), of));
  if (named === undefined) throw notFound(`There is no guardrail ${id}`);
  return named;
}

/** A guardrail as the API shows it, by its id or its name. Throws AppError 404. */
export const readGuardrail = async (ctx: Ctx, projectId: string, id: string): Promise<GuardrailReply> =>
  toGuardrail(await findGuardrail(ctx, projectId, id));

const MAX_VERSIONS = 100;

/** The versions of a guardrail, newest first. Throws AppError 404. */
export async function listVersions(
  ctx: Ctx,
  projectId: string,
  id: string,
): Promise<z.input<typeof guardrailVersionSchema>[]> {
  const row = await findGuardrail(ctx, projectId, id);
  const rows = await ctx.db.sql
    .select({ version: guardrailVersions, author: users.name })
    .from(guardrailVersions)
    .leftJoin(users, eq(users.id, guardrailVersions.createdBy))
    .where(eq(guardrailVersions.guardrailId, row.id))
    .orderBy(desc(guardrailVersions.version))
    .limit(MAX_VERSIONS);
  return rows.map(({ version, author }) => ({
    ...versionOf(version),
    createdBy: author ?? (version.createdBy === 'operator' ? 'the operator' : null),
    createdAt: iso(version.createdAt),
  }));
}
