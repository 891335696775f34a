import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { CheckedStage } from '../../../lib/guardrails/definition.ts';
import { isRemote } from '../../../lib/guardrails/definition.ts';
import { runLocalGuardrails } from '../../../lib/guardrails/run-guardrails.ts';
import type { VerdictReply } from '../contract.ts';
import { readyGuardrails } from './compiled.ts';

/**
 * Checks a text with the enabled guardrails of a project, for the command line: judges and webhooks are left out, and
 * nothing is kept. Throws AppError 404 for a name that no enabled guardrail has.
 */
export async function tryGuardrails(
  ctx: Ctx,
  projectId: string,
  { text, stage, guardrail: name }: { text: string; stage: CheckedStage; guardrail: string | undefined },
): Promise<VerdictReply> {
  const { compiled } = await readyGuardrails(ctx, projectId);
  const looking = compiled
    .filter(({ guardrail }) => name === undefined || guardrail.name === name)
    .map(({ guardrail, checks }) => ({ guardrail, checks: checks.filter(({ check }) => !isRemote(check)) }));
  if (name !== undefined && looking.length === 0) throw notFound(`There is no enabled guardrail ${name}`);
  const { action, content, results, durationMs } = runLocalGuardrails(
    looking.filter(({ guardrail }) => guardrail.stage === 'both' || guardrail.stage === stage),
    text,
    stage,
  );
  return {
    action,
    ...(action === 'redact' && { text: content ?? '' }),
    results: results.map(({ matches, ...result }) => ({ ...result, matches: [...matches] })),
    durationMs,
  };
}
