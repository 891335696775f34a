import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import type { Check, Guardrail } from '../../../lib/guardrails/definition.ts';
import {
  applicable,
  type CompiledGuardrail,
  prepareGuardrail,
  type RemoteCheckRunner,
  type Verdict,
} from '../../../lib/guardrails/run-guardrails.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import { refuseInvalid } from '../change-guardrails.ts';
import type { CheckBody, TryBody, VerdictReply } from '../contract.ts';
import { unknownNames } from '../queries.ts';
import { withLinks } from '../webhook-links.ts';
import { askRemote } from './ask-remote.ts';
import { readyGuardrails } from './compiled.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { runChecks } from './run-checks.ts';

type Content = Pick<CheckBody, 'text' | 'messages'>;
/**
 * Checks a text or messages with the guardrails of a project and keeps what came of it, without the text.
 * @throws AppError 400 for a guardrail that does not exist
 */
export async function checkText(ctx: Ctx, scope: ProjectScope, body: CheckBody): Promise<VerdictReply> {
  const { compiled, pace } = await readyGuardrails(ctx, scope.projectId);
  const named =
    body.guardrails === undefined ? compiled : await ofNames(ctx, scope, compiled, body.guardrails);
  const { stage, environment } = body;
  const looking = applicable(named, { stage, environment, sample: Math.random() });
  const remote: RemoteCheckRunner = (check, all) => askRemote(ctx, scope, check, all);
  const verdict = await runChecks(ctx, scope, { ...body, guardrails: looking, pace, remote });
  await recordOutcomes(ctx, scope, body, verdict.results);
  return toReply(verdict, body);
}

async function ofNames(
  ctx: Ctx,
  { projectId }: ProjectScope,
  compiled: readonly CompiledGuardrail[],
  names: readonly string[],
): Promise<CompiledGuardrail[]> {
  const found = compiled.filter(({ guardrail }) => names.includes(guardrail.name));
  // A disabled guardrail looks at nothing; a misspelt one would look as if it did.
  if (found.length < new Set(names).size) {
    const unknown = await unknownNames(ctx, projectId, names);
    if (unknown.length > 0) throw badRequest(`guardrails: there is no guardrail ${unknown.join(', ')}`);
  }
  return found;
}

/** Checks a text with checks that are not saved. Nothing is kept. Throws AppError 400 for invalid settings. */
export async function tryChecks(ctx: Ctx, scope: ProjectScope, body: TryBody): Promise<VerdictReply> {
  await refuseInvalid(body.checks);
  const remote: RemoteCheckRunner = (check, all) => askRemote(ctx, scope, check, all);
  const guardrails = [prepareGuardrail(draft(withLinks(body.checks)))];
  const verdict = await runChecks(ctx, scope, { ...body, guardrails, pace: { isSlow: true }, remote });
  return toReply(verdict, body);
}

const draft = (checks: readonly Check[]): Guardrail => ({
  name: 'draft',
  version: 1,
  stage: 'both',
  checks,
  failureMode: 'open',
  environments: [],
  sampleRate: 1,
  enabled: true,
});

function toReply({ action, content, results, durationMs }: Verdict, asked: Content): VerdictReply {
  return {
    action,
    ...(action === 'redact' &&
      (asked.text === undefined ? { messages: content } : { text: String(content) })),
    results: results.map(({ matches, ...result }) => ({ ...result, matches: [...matches] })),
    durationMs,
  };
}
