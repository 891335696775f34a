import type { Ctx } from '../../../context.ts';
import {
  countVersion,
  findDatasetNamed,
  listItems,
  placeOf,
  type ReadItem,
} from '../../../core/datasets/index.ts';
import { type ModelConfig, modelConfigSchema } from '../../../core/models/contract.ts';
import { modelsOf } from '../../../core/models/index.ts';
import { compileVersions } from '../../../core/prompts/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import { badRequest } from '../../../errors.ts';
import type { Plan, Task } from '../contract.ts';
import type { StoredTask, UsedEvaluator } from '../table.ts';
import { resolveEvaluators } from './resolve-evaluators.ts';

/** Most results of an experiment. */
export const MAX_RUNS = 200_000;
const SAMPLE = 20;

/** A plan with what it refers to at this moment. */
export type ResolvedPlan = {
  readonly datasetId: string;
  readonly datasetVersion: number;
  readonly items: number;
  readonly runs: number;
  readonly task: StoredTask;
  readonly evaluators: readonly UsedEvaluator[];
  /** The first items. */
  readonly sample: readonly ReadItem[];
};

/**
 * Finds dataset, version, prompt, model and evaluators of a plan.
 * @throws AppError 400 for what cannot run, 404 for what does not exist
 */
export async function resolvePlan(ctx: Ctx, scope: ProjectScope, plan: Plan): Promise<ResolvedPlan> {
  const dataset = await findDatasetNamed(ctx, scope, plan.datasetId);
  const { version } = placeOf(dataset, plan.version);
  const { split = null, repetitions } = plan;
  const place = { datasetId: dataset.id, version };
  const items = (await ctx.db.read(countVersion, ofProjects([scope]), { ...place, split })).parse();
  if (items === 0)
    throw badRequest(
      `${dataset.name} has no items${split === null ? '' : ` in the split ${split}`}; add some first`,
    );
  const runs = items * repetitions;
  if (runs > MAX_RUNS)
    throw badRequest(
      `${items.toLocaleString('en-US')} items ${repetitions} times are more than ${MAX_RUNS.toLocaleString('en-US')} runs; choose a split or fewer repetitions`,
    );
  const query = { ...place, isNewest: false, split: split ?? undefined, after: 0, limit: SAMPLE };
  const { items: sample } = (await ctx.db.read(listItems, ofProjects([scope]), query)).parse();
  const task = await resolveTask(ctx, scope, plan.task);
  const evaluators = await resolveEvaluators(ctx, scope.projectId, plan.evaluators);
  return { datasetId: dataset.id, datasetVersion: version, items, runs, task, evaluators, sample };
}

async function resolveTask(ctx: Ctx, scope: ProjectScope, task: Task): Promise<StoredTask> {
  if (task.kind === 'external') return task;
  const { prompt, version, label } = task;
  const { candidates } = await compileVersions(ctx, scope.projectId, { name: prompt, version, label });
  const [found, ...others] = candidates;
  if (found === undefined || others.length > 0)
    throw badRequest(
      `task: the label ${label ?? 'production'} names several versions; name one with version`,
    );
  const config = configOf(found.config);
  const model = task.model ?? allowedModel(ctx, config.model ?? String(found.config.model ?? ''));
  const { model: _, ...rest } = { ...config, ...task.config };
  return { kind: 'prompt', prompt, version: found.version, model, config: rest };
}

/** The settings of a prompt that a call can have. */
function configOf(config: Readonly<Record<string, unknown>>): ModelConfig & { readonly model?: string } {
  const { maxTokens, ...given } = config;
  const named = { ...given, ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }) };
  const known = Object.entries(named).filter(([name, value]) => {
    const field = modelConfigSchema.shape[name as keyof ModelConfig];
    return field !== undefined && name !== 'model' && field.safeParse(value).success;
  });
  return Object.fromEntries(known);
}

/** A prompt names its model as the provider does, such as `gpt-4o`. */
function allowedModel(ctx: Ctx, name: string): string {
  if (name === '') throw badRequest('task: the prompt names no model; give model');
  if (name.includes('/')) return name;
  const setting = modelsOf(ctx).providers.find(({ models }) => models.includes(name));
  if (setting === undefined)
    throw badRequest(
      `task: the model ${name} of the prompt is not configured; give model, a name of GET /v1/models`,
    );
  return `${setting.name}/${name}`;
}
