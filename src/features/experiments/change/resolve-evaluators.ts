import type { Ctx } from '../../../context.ts';
import { checkEvaluator, findVersion } from '../../../core/evaluators/index.ts';
import { badRequest } from '../../../errors.ts';
import type { Evaluator } from '../contract.ts';
import type { UsedEvaluator } from '../table.ts';

/** Most characters of the settings of all evaluators of an experiment. */
const MAX_SETTINGS = 200_000;

/**
 * Finds saved evaluators and checks the others.
 * @throws AppError 400 for settings that cannot be used and for two with the same score, 404 for an unknown one
 */
export async function resolveEvaluators(
  ctx: Ctx,
  projectId: string,
  given: readonly Evaluator[],
): Promise<UsedEvaluator[]> {
  const used = await Promise.all(given.map((one) => resolveOne(ctx, projectId, one)));
  const names = used.map(({ scoreName }) => scoreName);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw badRequest(`evaluators: two of them give the score ${twice}; rename one`);
  if (JSON.stringify(used).length > MAX_SETTINGS)
    throw badRequest(
      `evaluators: have more than ${MAX_SETTINGS.toLocaleString('en-US')} characters together; use fewer`,
    );
  return used;
}

async function resolveOne(ctx: Ctx, projectId: string, given: Evaluator): Promise<UsedEvaluator> {
  if (given.kind === 'saved') return findVersion(ctx, projectId, given);
  const { scoreName, ...rules } = given;
  if (rules.kind === 'webhook')
    throw badRequest(
      'evaluators: a webhook has a secret, which an experiment must not contain; save it with POST /v1/evaluators, and name it as { "kind": "saved", "name": … }',
    );
  checkEvaluator(rules);
  return { evaluatorId: null, name: null, version: null, scoreName, rules };
}
