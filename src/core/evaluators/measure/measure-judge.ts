import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { cohensKappa } from '../../../lib/stats/kappa.ts';
import type { Actor } from '../../../module.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import { evaluatorInput } from '../config/contract.ts';
import type { Agreement } from '../contract.ts';
import { JUDGE_LIBRARY } from '../judges/library.ts';
import { runEvaluator } from '../run/run-evaluator.ts';
import { LABELLED } from './labelled.ts';

/**
 * Judges the labelled examples of a ready judge with a model, one after the other, and compares.
 * @throws AppError 400 for an unknown judge or model, 429 if the monthly cap is used up, 503 without models
 */
export async function measureJudge(
  ctx: Ctx,
  { scope, actor }: { readonly scope: ProjectScope; readonly actor: Actor },
  { judge, model }: { readonly judge: string; readonly model: string },
): Promise<Agreement> {
  const ready = JUDGE_LIBRARY.find(({ id }) => id === judge);
  if (ready === undefined)
    throw badRequest(
      `There is no judge ${judge}; the judges are ${JUDGE_LIBRARY.map(({ id }) => id).join(', ')}`,
    );
  const { messages, output } = ready;
  const rules = evaluatorInput.parse({
    name: judge,
    kind: 'judge',
    scoreName: judge,
    config: { model, messages },
    output,
  });
  const pairs: [string, string][] = [];
  const differences: Agreement['differences'][number][] = [];
  const examples = LABELLED[judge] ?? [];
  let failed = 0;
  let costUsd: number | null = 0;
  for (const { label, ...sample } of examples) {
    const judged = await runEvaluator(ctx, { scope, actor, rules, sample, key: null, tags: { judge } });
    if (judged.status !== 'skipped')
      costUsd = costUsd === null || judged.costUsd === null ? null : costUsd + judged.costUsd;
    if (judged.status !== 'scored') {
      failed++;
      continue;
    }
    const pair: [string, string] = [String(label), String(judged.value)];
    pairs.push(pair);
    if (pair[0] !== pair[1])
      differences.push({
        output: String(sample.output),
        label: pair[0],
        judged: pair[1],
        reason: judged.reason,
      });
  }
  return {
    judge,
    model,
    examples: examples.length,
    failed,
    agreed: pairs.length - differences.length,
    kappa: cohensKappa(pairs),
    costUsd,
    differences,
  };
}
