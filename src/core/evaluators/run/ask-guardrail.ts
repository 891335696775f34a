import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { MAX_CHARACTERS } from '../../../lib/guardrails/definition.ts';
import { tryGuardrails } from '../../guardrails/index.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import type { RulesOf } from '../config/contract.ts';
import { outputText } from './compare.ts';
import { type Judgement, scored, skipped } from './judgement.ts';
import type { Sample } from './sample.ts';

type Asked = { readonly rules: RulesOf<'guardrail'>; readonly sample: Sample };

/** True if the guardrail finds nothing in the output. What it finds is named, never quoted; nothing is kept. */
export async function askGuardrail(
  ctx: Ctx,
  scope: ProjectScope,
  { rules: { config }, sample }: Asked,
): Promise<Judgement> {
  const text = outputText(sample, config.path);
  if (typeof text !== 'string') return text;
  if (text.length > MAX_CHARACTERS)
    return skipped(`the output has more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters`);
  const { guardrail, stage } = config;
  try {
    const { action, results } = await tryGuardrails(ctx, scope, { text, stage, guardrail });
    const types = results.flatMap(({ matches }) => matches.map(({ type }) => type));
    const found = [...new Set(types)].slice(0, 10).join(', ');
    return scored(action === 'allow', action === 'allow' ? null : `${action}: ${found || guardrail}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    return { status: 'failed', reason: error.message, costUsd: 0, eventId: null };
  }
}
