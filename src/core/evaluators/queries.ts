import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { type EvaluatorRules, evaluatorInput } from './config/contract.ts';
import type { Evaluator, EvaluatorVersion } from './contract.ts';
import { evaluators, evaluatorVersions } from './table.ts';
import { shownConfig } from './webhook/webhook-secrets.ts';

const SHOWN_VERSIONS = 100;

const isNewest = and(
  eq(evaluatorVersions.evaluatorId, evaluators.id),
  eq(evaluatorVersions.version, evaluators.version),
);

/** The evaluators of a project with their newest versions, by name; with `ids` only those. */
export async function listEvaluators(
  ctx: Ctx,
  projectId: string,
  ids?: readonly string[],
): Promise<Evaluator[]> {
  return (await readNewest(ctx, projectId, ids)).map(toEvaluator);
}

const readNewest = (ctx: Ctx, projectId: string, ids?: readonly string[]) =>
  ctx.db.sql
    .select({ evaluator: evaluators, version: evaluatorVersions })
    .from(evaluators)
    .innerJoin(evaluatorVersions, isNewest)
    .where(
      and(
        eq(evaluators.projectId, projectId),
        ids === undefined ? undefined : inArray(evaluators.id, [...ids]),
      ),
    )
    .orderBy(asc(evaluators.name));
type NewestRow = Awaited<ReturnType<typeof readNewest>>[number];

const toEvaluator = ({ evaluator, version }: NewestRow): Evaluator => ({
  id: evaluator.id,
  name: evaluator.name,
  description: evaluator.description,
  ...versionFields(version),
  createdAt: formatInstant(evaluator.createdAt.getTime()),
  updatedAt: formatInstant(evaluator.updatedAt.getTime()),
});

/** One of a project. Throws AppError 404. */
export async function findEvaluator(ctx: Ctx, projectId: string, id: string): Promise<Evaluator> {
  return (await findEvaluatorRules(ctx, projectId, id)).evaluator;
}

/** One of a project, and its rules for `runEvaluator`. Throws AppError 404. */
export async function findEvaluatorRules(
  ctx: Ctx,
  projectId: string,
  id: string,
): Promise<{ readonly evaluator: Evaluator; readonly rules: EvaluatorRules }> {
  const [found] = await readNewest(ctx, projectId, [id]);
  if (found === undefined) throw notFound(`There is no evaluator ${id}`);
  return { evaluator: toEvaluator(found), rules: rulesOf(found) };
}

/** The newest versions of an evaluator, newest first. */
export async function listVersions(ctx: Ctx, projectId: string, id: string): Promise<EvaluatorVersion[]> {
  const rows = await ctx.db.sql
    .select()
    .from(evaluatorVersions)
    .where(and(eq(evaluatorVersions.projectId, projectId), eq(evaluatorVersions.evaluatorId, id)))
    .orderBy(desc(evaluatorVersions.version))
    .limit(SHOWN_VERSIONS);
  return rows.map((row) => ({
    ...versionFields(row),
    createdBy: row.createdBy,
    createdAt: formatInstant(row.createdAt.getTime()),
  }));
}

/** A version of an evaluator, as experiments keep it. */
export type UsedVersion = {
  readonly evaluatorId: string;
  readonly name: string;
  readonly version: number;
  readonly scoreName: string;
  readonly rules: EvaluatorRules;
};

/** A version of the evaluator with this name or id; the newest without a number. Throws AppError 404. */
export async function findVersion(
  ctx: Ctx,
  projectId: string,
  { name, version }: { readonly name: string; readonly version?: number | undefined },
): Promise<UsedVersion> {
  const [found] = await ctx.db.sql
    .select({ evaluator: evaluators, version: evaluatorVersions })
    .from(evaluators)
    .leftJoin(
      evaluatorVersions,
      and(
        eq(evaluatorVersions.evaluatorId, evaluators.id),
        eq(evaluatorVersions.version, version ?? evaluators.version),
      ),
    )
    .where(and(eq(evaluators.projectId, projectId), or(eq(evaluators.name, name), eq(evaluators.id, name))))
    .orderBy(sql`${evaluators.name} = ${name} DESC`)
    .limit(1);
  if (found === undefined) throw notFound(`There is no evaluator ${name}`);
  if (found.version === null)
    throw notFound(
      `${found.evaluator.name} has the versions 1 to ${found.evaluator.version}, not ${version}`,
    );
  const { evaluator, version: row } = found;
  return {
    evaluatorId: evaluator.id,
    name: evaluator.name,
    version: row.version,
    scoreName: row.scoreName,
    rules: rulesOf({ evaluator, version: row }),
  };
}

const versionFields = (row: typeof evaluatorVersions.$inferSelect) => ({
  version: row.version,
  kind: row.kind,
  config: shownConfig(row.config),
  output: row.output as Record<string, unknown> | null,
  scoreName: row.scoreName,
});

/** How an evaluator judges, for `runEvaluator`. What is encrypted stays so. */
function rulesOf({ evaluator: { name, description }, version }: NewestRow): EvaluatorRules {
  const { kind, config, output, scoreName } = version;
  // What is stored was checked, so this only fills in defaults that are newer than it.
  const {
    name: _,
    description: __,
    scoreName: ___,
    ...rules
  } = evaluatorInput.parse({
    name,
    description,
    scoreName,
    kind,
    config: shownConfig(config),
    ...(output !== null && { output }),
  });
  return 'sealed' in config
    ? Object.assign(rules, { config: { ...rules.config, sealed: config.sealed } })
    : rules;
}
