import type { AppliedPrice, PriceLine } from '../../../core/pricing/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';

/** What names a SKU: a model of a provider, and what of it is billed. */
type Named = { readonly provider: string | null; readonly model: string | null };

const UNKNOWN = 'unknown';

/** What all buckets of a model that are not told apart are metered as. */
export const ALL_USAGE = 'usage';

/** The id of what was used, whatever it costs: `openai/gpt-4o/output`. */
export const skuIdOf = ({ provider, model }: Named, bucket: PriceLine['bucket'] | typeof ALL_USAGE): string =>
  [provider ?? UNKNOWN, model ?? NO_MODEL, bucket].join('/');

/** Properties of a price that hold over time and for every organization: not its amount, dates and contract. */
export type PriceTerms = Pick<AppliedPrice, 'context_above' | 'service_tier' | 'daily'>;

/** The id of a price of a SKU: it has a part for each term, such as `openai/gpt-4o/output;tier=batch`. */
export const skuPriceIdOf = (skuId: string, { context_above, service_tier, daily }: PriceTerms): string =>
  [
    skuId,
    ...(context_above === null ? [] : [`above=${context_above}`]),
    ...(service_tier === null ? [] : [`tier=${service_tier}`]),
    ...(daily === null ? [] : [`hours=${daily}`]),
  ].join(';');

/** The terms as JSON of key and value. */
export const skuPriceDetailsOf = (
  { provider, model }: Named,
  bucket: PriceLine['bucket'],
  { context_above, service_tier, daily }: PriceTerms,
): string =>
  JSON.stringify({
    x_Provider: provider,
    x_Model: model,
    x_Bucket: bucket,
    ...(context_above === null ? {} : { x_InputTokensAbove: context_above }),
    ...(service_tier === null ? {} : { x_ServiceTier: service_tier }),
    ...(daily === null ? {} : { x_Hours: daily }),
  });
