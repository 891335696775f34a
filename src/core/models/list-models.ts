import type { Ctx } from '../../context.ts';
import { formatInstant, startOfNextMonth } from '../../lib/time.ts';
import { pricerOf } from '../pricing/index.ts';
import type { OrganizationScope, ProjectScope } from '../tenancy/index.ts';
import type { ModelsReply } from './contract.ts';
import { priceOf } from './estimate-cost.ts';
import { ledgerProvider, listAllowed } from './models-of.ts';
import { capOf, readMonth } from './reserve-call.ts';

const MILLION = 1_000_000;

/** The models that may be called, with their prices in an organization and what of its month is spent. */
export async function listModels(
  ctx: Ctx,
  { organizationId }: Pick<ProjectScope | OrganizationScope, 'organizationId'>,
): Promise<ModelsReply> {
  const pricer = await pricerOf(ctx, organizationId);
  const now = ctx.now();
  const { spentNano, reservedNano } = await readMonth(ctx, organizationId, now);
  const cap = capOf(ctx.config);
  const perMillion = (provider: string, model: string, tokens: readonly [number, number]): number | null => {
    const nano = priceOf(ctx, pricer, { provider, model }, tokens);
    // Of a thousand tokens, because a million has the rate of a long context with some models.
    return nano === null ? null : (nano * (MILLION / 1_000)) / 1e9;
  };
  return {
    models: [...listAllowed(ctx)].map(([id, { setting, model }]) => {
      const named = ledgerProvider(setting);
      const input = perMillion(named, model, [1_000, 0]);
      const output = perMillion(named, model, [0, 1_000]);
      const { name, provider } = setting;
      return {
        id,
        name,
        provider,
        model,
        priced: input !== null && output !== null,
        inputUsdPerMillion: input,
        outputUsdPerMillion: output,
      };
    }),
    month: {
      capUsd: cap === null ? null : cap / 1e9,
      spentUsd: spentNano / 1e9,
      reservedUsd: reservedNano / 1e9,
      endsAt: formatInstant(startOfNextMonth(now)),
    },
  };
}
