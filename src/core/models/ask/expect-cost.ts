import type { Ctx } from '../../../context.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import type { ModelCall } from '../call-model.ts';
import type { ExpectedCost } from '../contract.ts';
import { estimateCost } from '../estimate-cost.ts';
import { findAllowed, ledgerProvider } from '../models-of.ts';

/**
 * What a call is expected to cost, before it is made. Without history nothing is read; the upper bound is the same.
 * @throws AppError 400 for a model that is not allowed, 503 if none is configured
 */
export async function expectCost(
  ctx: Ctx,
  scope: ProjectScope,
  { model, messages, config }: Pick<ModelCall, 'model' | 'messages' | 'config'>,
  options: { readonly withHistory?: boolean } = {},
): Promise<ExpectedCost> {
  const found = findAllowed(ctx, model);
  const planned = { provider: ledgerProvider(found.setting), model: found.model, messages, config };
  return (await estimateCost(ctx, scope, planned, options)).expected;
}
