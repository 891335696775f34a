import type { Ctx } from '../../../context.ts';
import type { Actor } from '../../../module.ts';
import { askModel } from '../../models/index.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import type { EvaluatorRules, RulesOf } from '../config/contract.ts';
import { answerSchema, judgeMessages } from '../judges/judge-messages.ts';
import { askWebhook } from '../webhook/ask-webhook.ts';
import { askGuardrail } from './ask-guardrail.ts';
import { compare } from './compare.ts';
import { compareElsewhere } from './compare-work.ts';
import { type Judgement, skipped } from './judgement.ts';
import type { Sample } from './sample.ts';

/** A sample and how to judge it. */
export type Evaluation = {
  readonly scope: ProjectScope;
  /** Who asked for it; `system` for jobs, whose calls are not audited one by one. */
  readonly actor: Actor;
  readonly rules: EvaluatorRules;
  readonly sample: Sample;
  /** Feature of the product for which a judge is called: the agent of its events. Default: `evaluator`. */
  readonly agent?: string;
  /**
   * The caller's name for this judgement, unique in the project: a judge that answered is not asked again, also after a
   * crash; a webhook is, with the same `webhook-id`. Delete the answer with `forgetAnswers` of core/models when the score
   * is stored. Null keeps nothing.
   */
  readonly key: string | null;
  /** False: what is judged and answered is stored nowhere, also in a project that stores prompts. */
  readonly keepsContent?: false;
  /** Trace of the judge's event. Default: one of its own. */
  readonly traceId?: string;
  /** Tags of the judge's events, such as the evaluator. */
  readonly tags?: Readonly<Record<string, string>>;
};

const MAX_REASON = 2_000;

/**
 * Judges a sample. Rules and webhooks cost nothing; a judge calls its model under the organization's monthly cap.
 * @throws AppError 400 for a model that is not allowed, 429 if the cap or the quota of events is used up or too many
 * wait, 503 without models; the signal's reason if it ended the wait
 */
export function runEvaluator(
  ctx: Ctx,
  evaluation: Evaluation,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Judgement> {
  const { rules, sample } = evaluation;
  if (rules.kind === 'guardrail') return askGuardrail(ctx, evaluation.scope, { rules, sample });
  if (rules.kind === 'webhook') {
    const { scope, key, tags = {} } = evaluation;
    return askWebhook(ctx, scope, { rules, sample, key, tags }, options.signal);
  }
  if (rules.kind === 'regex' || rules.kind === 'json_schema' || rules.kind === 'similarity')
    return compareElsewhere(ctx, evaluation.scope.organizationId, { rules, sample });
  if (rules.kind !== 'judge') return Promise.resolve(compare(rules, sample));
  return askJudge(ctx, { ...evaluation, rules }, options);
}

async function askJudge(
  ctx: Ctx,
  {
    scope,
    actor,
    rules,
    sample,
    agent = 'evaluator',
    key,
    keepsContent,
    traceId,
    tags,
  }: Evaluation & { rules: RulesOf<'judge'> },
  options: { readonly signal?: AbortSignal },
): Promise<Judgement> {
  const { config, output } = rules;
  const messages = judgeMessages(config, output, sample);
  if ('missing' in messages) return skipped(`there is no ${NAMES[messages.missing]}`);
  const answered = await askModel(
    ctx,
    {
      scope,
      actor,
      agent,
      action: 'evaluator.judged',
      model: config.model,
      messages,
      config: {
        ...(config.temperature !== undefined && { temperature: config.temperature }),
        maxOutputTokens: config.maxOutputTokens,
        responseFormat: { type: 'json', name: 'judgement', schema: answerSchema(output) },
      },
      prompt: null,
      key,
      ...(keepsContent === false && { keepsContent }),
      ...(traceId !== undefined && { traceId }),
      ...(tags !== undefined && { tags }),
    },
    options,
  );
  const eventId = answered.calls.at(-1)?.eventId ?? null;
  const { costUsd } = answered;
  if (answered.status !== 'success')
    return { status: 'failed', reason: answered.error ?? 'The judge did not answer', costUsd, eventId };
  // askModel has checked it against the schema.
  const { reason, value } = answered.value as { reason: string; value: number | boolean | string };
  return { status: 'scored', value, reason: reason.slice(0, MAX_REASON), costUsd, eventId };
}

const NAMES = { input: 'input', output: 'output', expected: 'expected output', context: 'context' } as const;
