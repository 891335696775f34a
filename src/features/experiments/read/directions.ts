import type { Ctx } from '../../../context.ts';
import type { EvaluatorRules } from '../../../core/evaluators/config/contract.ts';
import { listDefinitions } from '../../../core/scores/index.ts';
import type { Metric } from '../contract.ts';
import type { ExperimentRow } from '../queries.ts';

export type Direction = Metric['direction'];

/** Which values of an evaluator's score are good. */
function directionOf(rules: EvaluatorRules): Direction {
  if ('output' in rules) return rules.output.direction;
  const isAmount =
    (rules.kind === 'latency' && rules.config.maxMs === undefined) ||
    (rules.kind === 'cost' && rules.config.maxUsd === undefined);
  return isAmount ? 'lower' : 'higher';
}

/** Which values are good, by the name of the score: as its definition says, unless an evaluator gives it. */
export async function directionsOf(
  ctx: Ctx,
  { projectId, evaluators }: Pick<ExperimentRow, 'projectId' | 'evaluators'>,
): Promise<Record<string, Direction>> {
  const defined = await listDefinitions(ctx, projectId);
  return Object.fromEntries([
    ...defined.map(({ name, direction }) => [name, direction] as const),
    ...evaluators.map(({ scoreName, rules }) => [scoreName, directionOf(rules)] as const),
  ]);
}
