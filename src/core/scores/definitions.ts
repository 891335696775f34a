import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { deleteInSlices } from '../jobs/index.ts';
import { projects } from '../projects/table.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { DefinitionInput, ScoreDefinition } from './contract.ts';
import { definitionSubject } from './subject.ts';
import { scoreDefinitions, scores } from './table.ts';
import { MAX_DEFINITIONS } from './values/contract.ts';

type By = { readonly scope: ProjectScope; readonly actor: Actor };

/** The definitions of a project, by name. */
export async function listDefinitions(ctx: Ctx, projectId: string): Promise<ScoreDefinition[]> {
  const rows = await ctx.db.sql
    .select()
    .from(scoreDefinitions)
    .where(eq(scoreDefinitions.projectId, projectId))
    .orderBy(asc(scoreDefinitions.name));
  return rows.map(toDefinition);
}

/** The types of the scores of some projects, by name. */
export async function listTypes(
  ctx: Ctx,
  numbers: readonly number[],
): Promise<ReadonlyMap<string, ScoreDefinition['type']>> {
  const rows = await ctx.db.sql
    .select({ name: scoreDefinitions.name, type: scoreDefinitions.type })
    .from(scoreDefinitions)
    .innerJoin(projects, eq(projects.id, scoreDefinitions.projectId))
    .where(inArray(projects.no, [...numbers]));
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** The type of the scores of a name; undefined without a definition. */
export const scoreTypeOf = async (
  ctx: Ctx,
  numbers: readonly number[],
  name: string,
): Promise<ScoreDefinition['type'] | undefined> => (await listTypes(ctx, numbers)).get(name);

/** A row for a new definition; its id is null, which no row can have, if a project has too many. */
export function definitionRow(
  { organizationId, projectId }: ProjectScope,
  input: DefinitionInput,
  now: Date,
): { readonly id: string; readonly row: typeof scoreDefinitions.$inferInsert } {
  const id = newId('sdf', now.getTime());
  const count = sql`(SELECT count(*) FROM score_definitions WHERE project_id = ${projectId})`;
  return {
    id,
    row: {
      ...input,
      id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_DEFINITIONS})` as unknown as string,
      organizationId,
      projectId,
      createdAt: now,
      updatedAt: now,
    },
  };
}

/** Throws AppError 409 for a name that exists, and for one definition too many. */
export async function createDefinition(ctx: Ctx, by: By, input: DefinitionInput): Promise<ScoreDefinition> {
  const { organizationId, projectId } = by.scope;
  const { id, row } = definitionRow(by.scope, input, new Date(ctx.now()));
  try {
    await commitChange(ctx, by.actor, {
      statements: [ctx.db.sql.insert(scoreDefinitions).values(row)],
      audit: [
        {
          action: 'score_definition.created',
          organizationId,
          projectId,
          subject: { of: definitionSubject, id },
        },
      ],
    });
  } catch (error) {
    throw toConflict(error, input.name);
  }
  return findDefinition(ctx, projectId, id);
}

/** Replaces all but name and type. Throws AppError 400 for another name or type, 404. */
export async function changeDefinition(
  ctx: Ctx,
  by: By,
  { id, input }: { readonly id: string; readonly input: DefinitionInput },
): Promise<ScoreDefinition> {
  const { organizationId, projectId } = by.scope;
  const known = await findDefinition(ctx, projectId, id);
  for (const fact of ['name', 'type'] as const)
    if (known[fact] !== input[fact])
      throw badRequest(
        `${fact}: stays ${known[fact]}, because its scores have it; create another definition`,
      );
  const { description, min, max, categories, direction } = input;
  await commitChange(ctx, by.actor, {
    statements: [
      ctx.db.sql
        .update(scoreDefinitions)
        .set({ description, min, max, categories, direction, updatedAt: new Date(ctx.now()) })
        .where(and(eq(scoreDefinitions.projectId, projectId), eq(scoreDefinitions.id, id))),
    ],
    audit: [
      {
        action: 'score_definition.updated',
        organizationId,
        projectId,
        subject: { of: definitionSubject, id },
      },
    ],
  });
  return findDefinition(ctx, projectId, id);
}

/** Deletes a definition and all its scores; a repetition completes what was interrupted. Throws AppError 404. */
export async function deleteDefinition(ctx: Ctx, by: By, id: string): Promise<void> {
  const { organizationId, projectId, no } = by.scope;
  const { name } = await findDefinition(ctx, projectId, id);
  const slice = { table: 'scores', key: ['id'], prefix: 'project = ?', where: 'name = ?' };
  await deleteInSlices(slice, { prefix: no, where: name }, { ctx, signal: new AbortController().signal });
  await commitChange(ctx, by.actor, {
    statements: [
      ctx.db.sql
        .delete(scoreDefinitions)
        .where(and(eq(scoreDefinitions.projectId, projectId), eq(scoreDefinitions.id, id))),
      // Those that arrived since.
      ctx.db.sql.delete(scores).where(and(eq(scores.project, no), eq(scores.name, name))),
    ],
    audit: [
      {
        action: 'score_definition.deleted',
        organizationId,
        projectId,
        subject: { of: definitionSubject, id },
      },
    ],
  });
}

/** One of a project. Throws AppError 404. */
async function findDefinition(ctx: Ctx, projectId: string, id: string): Promise<ScoreDefinition> {
  const [row] = await ctx.db.sql
    .select()
    .from(scoreDefinitions)
    .where(and(eq(scoreDefinitions.projectId, projectId), eq(scoreDefinitions.id, id)));
  if (row === undefined) throw notFound(`There is no score definition ${id}`);
  return toDefinition(row);
}

/** The reason why a definition was refused. */
export function toConflict(error: unknown, name: string): unknown {
  const columns = brokenConstraint(error)?.columns ?? [];
  if (columns.includes('score_definitions.name'))
    return conflict(`There is a score named ${name}; change that one, or choose another name`);
  if (columns.includes('score_definitions.id'))
    return conflict(`A project has at most ${MAX_DEFINITIONS} names of scores; delete one first`);
  return error;
}

const toDefinition = (row: typeof scoreDefinitions.$inferSelect): ScoreDefinition => ({
  id: row.id,
  name: row.name,
  type: row.type,
  description: row.description,
  min: row.min,
  max: row.max,
  categories: row.categories === null ? null : [...row.categories],
  direction: row.direction,
  createdAt: formatInstant(row.createdAt.getTime()),
  updatedAt: formatInstant(row.updatedAt.getTime()),
});
