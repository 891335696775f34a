import { compileGlob } from '../../lib/compile-glob.ts';
import { formatInstant } from '../../lib/time.ts';
import type { ListedRate } from './applied-price.ts';
import type { Catalogue } from './catalogue.ts';
import { catalogueProvider } from './catalogue-provider.ts';
import type { OverrideRates, PriceOverride } from './contract.ts';
import { type Band, type Period, type RateCard, rateCard, withoutGaps } from './rate-card.ts';

/** Precedence: an exact name, a prefix, a glob; within one kind the longer name, which is more specific. */
const KINDS = ['exact', 'prefix', 'glob'] as const;

/** An override with its names in lower case and its pattern compiled. */
type Compiled = {
  readonly one: PriceOverride;
  readonly period: Period;
  readonly provider: string | null;
  /** The catalogue's id of the provider; null if it has none. */
  readonly seller: string | null;
  readonly matches: (model: string) => boolean;
  /** Prices by the catalogue's id of the called provider, made when first needed. */
  readonly cards: Map<string | null, ReturnType<typeof rateCard>>;
};

/** A provider's model as it was sent. */
type Names = { readonly provider: string | null; readonly model: string | null };

/**
 * Compiles overrides once. The result finds those that match a provider's model; null if there are none.
 * Exact names are looked up; only prefixes and globs are compared one by one.
 */
export function compileOverrides(
  overrides: readonly PriceOverride[],
  catalogue: Catalogue,
): (names: Names) => RateCard | null {
  const compiled = overrides.toSorted(strongestFirst).map((one) => compile(one, catalogue));
  const exact = Map.groupBy(
    compiled.filter(({ one }) => one.match === 'exact'),
    ({ one }) => plain(one.model),
  );
  const patterns = compiled.filter(({ one }) => one.match !== 'exact');
  return ({ provider, model }) => {
    const name = plain(model ?? '');
    if (name === '') return null;
    const asked = plain(provider ?? '');
    const seller = catalogueProvider(catalogue, asked);
    const isSold = (by: Compiled): boolean =>
      by.provider === null || by.provider === asked || (by.seller !== null && by.seller === seller);
    const found = [
      ...(exact.get(name) ?? []).filter(isSold),
      ...patterns.filter((pattern) => isSold(pattern) && pattern.matches(name)),
    ];
    return found.length === 0 ? null : cardOf(found, seller);
  };
}

/** Whether a custom price is one of this provider's model, whatever its dates and its service tier. */
export function isPriceOf(
  price: Pick<PriceOverride, 'provider' | 'match' | 'model'>,
  { provider, model }: { readonly provider: string | null; readonly model: string },
  catalogue: Catalogue,
): boolean {
  const [name, wanted] = [plain(model), plain(price.model)];
  const asked = plain(provider ?? '');
  const isSold =
    price.provider === null ||
    plain(price.provider) === asked ||
    (catalogueProvider(catalogue, price.provider) ?? '') === (catalogueProvider(catalogue, asked) ?? null);
  if (!isSold) return false;
  if (price.match === 'exact') return name === wanted;
  return price.match === 'glob' ? compileGlob(wanted)(name) : name.startsWith(wanted);
}

function compile(one: PriceOverride, catalogue: Catalogue): Compiled {
  const wanted = plain(one.model);
  return {
    one,
    period: periodOf(one),
    provider: one.provider === null ? null : plain(one.provider),
    seller: one.provider === null ? null : catalogueProvider(catalogue, one.provider),
    matches: one.match === 'glob' ? compileGlob(wanted) : (model) => model.startsWith(wanted),
    cards: new Map(),
  };
}

const cardOf = (found: readonly Compiled[], seller: string | null): RateCard => ({
  priceAt: (ts, inputTokens, modifiers) => {
    const tier = modifiers?.serviceTier ?? null;
    const own = found.find(
      ({ one, period }) => period.applies(ts) && (one.serviceTier === null || one.serviceTier === tier),
    );
    if (own === undefined) return null;
    const card = own.cards.get(seller) ?? rateCard(sourceOf(own.one), seller);
    own.cards.set(seller, card);
    // Rates set for a service tier are final, so the tier's factor does not apply.
    const isFinal = own.one.serviceTier !== null && modifiers !== null;
    return card(own.period, inputTokens, isFinal ? { ...modifiers, serviceTier: null } : modifiers);
  },
});

const plain = (name: string): string => name.trim().toLowerCase();

function strongestFirst(a: PriceOverride, b: PriceOverride): number {
  return (
    KINDS.indexOf(a.match) - KINDS.indexOf(b.match) ||
    b.model.length - a.model.length ||
    Number(a.provider === null) - Number(b.provider === null) ||
    Number(a.serviceTier === null) - Number(b.serviceTier === null) ||
    (b.effectiveFrom ?? -Infinity) - (a.effectiveFrom ?? -Infinity) ||
    (a.id < b.id ? 1 : -1)
  );
}

const sourceOf = ({ id, provider, model, match }: PriceOverride) =>
  ({ source: 'override', reference: id, provider, model: match === 'prefix' ? `${model}*` : model }) as const;

function periodOf({ effectiveFrom: from, effectiveUntil: until, tiers, rates }: PriceOverride): Period {
  const bands: Band[] = [
    { above: -1, rates: ratesOf(rates) },
    ...tiers
      .toSorted((a, b) => a.above - b.above)
      .map(({ above, ...own }) => ({ above, rates: ratesOf({ ...rates, ...own }) })),
  ];
  return {
    applies: (ts: number) => ts >= (from ?? -Infinity) && ts < (until ?? Infinity),
    from: from === null ? null : formatInstant(from),
    until: until === null ? null : formatInstant(until),
    daily: null,
    bands,
  };
}

/** A price per unit as dollars per million units, without floating-point noise. */
const perMillion = (usd: number | undefined, key: string): ListedRate | undefined =>
  usd === undefined ? undefined : { usd: Number((usd * 1e6).toPrecision(15)), key };

/**
 * Fills in missing rates as the catalogue does: cache reads and writes cost as fresh input, 1-hour writes as other
 * writes, reasoning as output, media as the bucket that includes them. A price with only a fee per request makes tokens
 * free.
 */
function ratesOf(rates: OverrideRates): Band['rates'] {
  const rate = (usd: number | undefined, key: string): ListedRate | undefined =>
    usd === undefined ? undefined : { usd, key };
  const onlyFee = rates.perRequest !== undefined && rates.input === undefined && rates.output === undefined;
  const none = onlyFee ? { usd: 0, key: 'free' } : undefined;
  const fresh = rate(rates.input, 'input') ?? none;
  const cacheWrite5m = rate(rates.cacheWrite, 'cacheWrite') ?? fresh;
  const cacheRead = rate(rates.cacheRead, 'cacheRead') ?? fresh;
  const output = rate(rates.output, 'output') ?? none;
  return withoutGaps({
    fresh,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: rate(rates.cacheWrite1h, 'cacheWrite1h') ?? cacheWrite5m,
    output,
    reasoning: rate(rates.reasoning, 'reasoning') ?? output,
    audioInput: rate(rates.audioInput, 'audioInput') ?? fresh,
    imageInput: rate(rates.imageInput, 'imageInput') ?? fresh,
    videoInput: rate(rates.videoInput, 'videoInput') ?? fresh,
    audioCached: rate(rates.audioCached, 'audioCached') ?? cacheRead,
    imageCached: rate(rates.imageCached, 'imageCached') ?? cacheRead,
    audioOutput: rate(rates.audioOutput, 'audioOutput') ?? output,
    imageOutput: rate(rates.imageOutput, 'imageOutput') ?? output,
    videoOutput: rate(rates.videoOutput, 'videoOutput') ?? output,
    citations: rate(rates.citations, 'citations'),
    audioSeconds: perMillion(rates.perAudioHour, 'perAudioHour'),
    pages: perMillion(rates.perPage, 'perPage'),
    webSearch: perMillion(rates.perSearch, 'perSearch'),
    request: perMillion(rates.perRequest, 'perRequest'),
  });
}
