import { type Catalogue, makerOf, providerOf } from './catalogue.ts';
import { catalogueProvider } from './catalogue-provider.ts';

/** Names for people: who serves a model, and who made it. Null if nothing is known of either. */
export type ProviderNames = { readonly provider: string | null; readonly maker: string | null };

/**
 * The names of a model's provider and maker by the catalogue; what was sent where the catalogue knows none. A model
 * whose maker is not known counts as its provider's.
 */
export function providerNames(
  catalogue: Catalogue,
  { provider, model }: { readonly provider: string | null; readonly model: string | null },
): ProviderNames {
  const id = provider === null ? null : catalogueProvider(catalogue, provider);
  const known = id === null ? undefined : providerOf(catalogue, id);
  const maker = model === null ? undefined : makerOf(catalogue, bare(model));
  const own = known?.name ?? provider ?? maker?.name ?? null;
  return { provider: own, maker: maker?.name ?? own };
}

/** A model's name without what resellers write in front of it: `openai/gpt-4o`. */
const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1);
