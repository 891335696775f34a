import type { PriceRow } from '../../../core/pricing/contract.ts';
import type { AppliedPrice, Catalogue, Pricer } from '../../../core/pricing/index.ts';

/** A model by the names that calls give it. */
export type Name = { readonly provider: string | null; readonly model: string };

/** Names that are searched, and what the catalogue says about them. */
export type NamedModel = Name & {
  readonly name: string | null;
  readonly deprecated: boolean;
  readonly contextWindow: number | null;
  readonly conditional: boolean;
  /** The model that an alias stands for now; null for a model. */
  readonly alias: string | null;
};

/** `provider/model`, or the model alone. */
const textOf = ({ provider, model }: Name): string => (provider === null ? model : `${provider}/${model}`);

/**
 * Every model with a name of its own: those with a custom price first, then the aliases and the models of the
 * catalogue. Each is there once.
 */
export function listNames(
  { providers, aliases }: Catalogue,
  own: readonly PriceRow[],
  now: number,
): NamedModel[] {
  const plain = { name: null, deprecated: false, contextWindow: null, conditional: false, alias: null };
  const found: NamedModel[] = [
    ...own
      .filter(({ match }) => match === 'exact')
      .map(({ provider, model, tiers }) => ({ ...plain, provider, model, conditional: tiers.length > 0 })),
    ...aliases.map(({ provider, name, targets }) => ({
      ...plain,
      provider,
      model: name,
      conditional: targets.length > 1,
      alias: targets.findLast(({ from }) => Date.parse(from) <= now)?.model ?? null,
    })),
    ...providers.flatMap(({ id, models }) =>
      models.map((model) => ({
        provider: id,
        model: model.id,
        name: model.name ?? null,
        deprecated: model.deprecated ?? false,
        contextWindow: model.context_window ?? null,
        conditional: Array.isArray(model.prices)
          ? model.prices.length > 1
          : Object.values(model.prices).some((price) => typeof price === 'object'),
        alias: null,
      })),
    ),
  ];
  const byName = new Map<string, NamedModel>();
  for (const one of found) {
    const key = textOf(one).toLowerCase();
    const first = byName.get(key);
    const alias = one.alias === one.model ? null : (one.alias ?? first?.alias ?? null);
    byName.set(key, { ...one, alias, conditional: one.conditional || (first?.conditional ?? false) });
  }
  return [...byName.values()];
}

/** Whoever sells models of their own: their names go before those of resellers. */
const MAKERS: ReadonlySet<string | null> = new Set([
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'cohere',
]);

/** Google sells models of others too. */
const isMaker = ({ provider, model }: Name): boolean =>
  MAKERS.has(provider) && (provider !== 'google' || !/claude|llama|mistral|deepseek/i.test(model));

/** How near a name is to a text: the text is its start or a whole word of it, starts a word, or is within; null: nowhere. */
function rankOf(name: Name, text: string): number | null {
  const whole = textOf(name).toLowerCase();
  if (whole.startsWith(text) || name.model.toLowerCase().startsWith(text + '-')) return 0;
  const places = [...whole.matchAll(new RegExp(RegExp.escape(text), 'g'))].map(({ index }) => index);
  if (places.length === 0) return null;
  const isEdge = (at: number): boolean => !/[a-z0-9]/.test(whole[at] ?? '');
  if (places.some((at) => isEdge(at - 1) && isEdge(at + text.length))) return 0;
  return places.some((at) => isEdge(at - 1)) ? 1 : 2;
}

/** The names that a text is part of, the nearest first; all of them, as they are, for no text. */
export function searchNames<T extends Name>(names: readonly T[], text: string): T[] {
  if (text === '') return [...names];
  return names
    .flatMap((name) => {
      const rank = rankOf(name, text);
      return rank === null ? [] : [{ name, rank }];
    })
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(isMaker(b.name)) - Number(isMaker(a.name)) ||
        textOf(a.name).length - textOf(b.name).length,
    )
    .map(({ name }) => name);
}

/** The price of a short call at a time; null without one. */
export function priceAt(pricer: Pricer, { provider, model }: Name, ts: number): AppliedPrice | null {
  const buckets = { fresh: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  const found = pricer.priceCall({ provider, model, ts, buckets });
  // A model that is billed by the hour or page has no rate for tokens, but a price.
  return found.status === 'unpriced' ? (found.lacks?.price ?? null) : found.price;
}
