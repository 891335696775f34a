import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { CheckedStage } from '../../../lib/guardrails/definition.ts';
import { isRemote } from '../../../lib/guardrails/definition.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import type { VerdictReply } from '../contract.ts';
import { readyGuardrails } from './compiled.ts';
import { runChecks } from './run-checks.ts';

/**
 * Checks a text with the enabled guardrails of a project: judges and webhooks are left out, and nothing is kept.
 * @throws AppError 404 for a name that no enabled guardrail has, 429 or 503 for too many large texts at once
 */
export async function tryGuardrails(
  ctx: Ctx,
  scope: Pick<ProjectScope, 'projectId' | 'organizationId'>,
  { text, stage, guardrail: name }: { text: string; stage: CheckedStage; guardrail: string | undefined },
): Promise<VerdictReply> {
  const { compiled, pace } = await readyGuardrails(ctx, scope.projectId);
  const looking = compiled
    .filter(({ guardrail }) => name === undefined || guardrail.name === name)
    .map(({ guardrail, checks }) => ({ guardrail, checks: checks.filter(({ check }) => !isRemote(check)) }));
  if (name !== undefined && looking.length === 0) throw notFound(`There is no enabled guardrail ${name}`);
  const { action, content, results, durationMs } = await runChecks(ctx, scope, {
    guardrails: looking.filter(({ guardrail }) => guardrail.stage === 'both' || guardrail.stage === stage),
    text,
    stage,
    pace,
  });
  return {
    action,
    ...(action === 'redact' && { text: String(content ?? '') }),
    results: results.map(({ matches, ...result }) => ({ ...result, matches: [...matches] })),
    durationMs,
  };
}
