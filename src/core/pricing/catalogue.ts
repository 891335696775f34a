import type { MatchLogic, ModelInfo, Provider } from '@pydantic/genai-prices';
import type { Alias } from './aliases/alias.ts';
import { PUBLISHED_ALIASES } from './aliases/published-aliases.ts';
import { builtInProviders } from './built-in-providers.ts';

/** Published prices: genai-prices' list of providers with their models, and its version. */
export type Catalogue = {
  /** Shown in explanations, such as `genai-prices 0.1.8`. */
  readonly version: string;
  /** The day as of which these are the published prices, `YYYY-MM-DD`; null if unknown. */
  readonly date: string | null;
  readonly providers: readonly Provider[];
  readonly aliases: readonly Alias[];
};

/** The built-in catalogue, of the day on which its package was published. */
export const BUILT_IN: Catalogue = {
  version: 'genai-prices 0.1.8',
  date: '2026-09-23',
  get providers() {
    return builtInProviders();
  },
  aliases: PUBLISHED_ALIASES,
};

/** Whether a name matches a rule of the catalogue; only regular expressions are case-sensitive. */
export function meets(rule: MatchLogic, name: string): boolean {
  if ('or' in rule) return rule.or.some((one) => meets(one, name));
  if ('and' in rule) return rule.and.every((one) => meets(one, name));
  if ('regex' in rule) return new RegExp(rule.regex).test(name);
  const plain = name.toLowerCase();
  if ('equals' in rule) return plain === rule.equals.toLowerCase();
  if ('starts_with' in rule) return plain.startsWith(rule.starts_with.toLowerCase());
  if ('ends_with' in rule) return plain.endsWith(rule.ends_with.toLowerCase());
  return plain.includes(rule.contains.toLowerCase());
}

/** The provider with exactly this id. */
export const providerOf = ({ providers }: Catalogue, id: string): Provider | undefined =>
  providers.find((provider) => provider.id === id);

/** The maker of a model by its name, independent of who serves it. */
export const makerOf = ({ providers }: Catalogue, model: string): Provider | undefined =>
  providers.find((provider) => provider.model_match !== undefined && meets(provider.model_match, model));

/** A date such as `-20250514` at the end of a part of a name. */
const COMPACT_DATE = /-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g;

/**
 * The entry for a model of a provider: by the provider's own rules, then by those of the providers whose models it
 * resells, then with a compact date written with dashes.
 */
export function modelOf(catalogue: Catalogue, provider: Provider, name: string): ModelInfo | null {
  const dated = name.replace(COMPACT_DATE, '-$1-$2-$3');
  return entryOf(catalogue, provider, name) ?? (dated === name ? null : entryOf(catalogue, provider, dated));
}

function entryOf(catalogue: Catalogue, provider: Provider, name: string): ModelInfo | null {
  const own = provider.models.find((model) => meets(model.match, name));
  if (own !== undefined) return own;
  for (const id of provider.fallback_model_providers ?? []) {
    const other = providerOf(catalogue, id);
    const found = other === undefined || other === provider ? null : entryOf(catalogue, other, name);
    if (found !== null) return found;
  }
  return null;
}
