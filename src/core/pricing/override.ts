import { formatInstant } from '../../lib/time.ts';
import type { ListedRate } from './applied-price.ts';
import type { Catalogue } from './catalogue.ts';
import { catalogueProvider } from './catalogue-provider.ts';
import type { OverrideRates, PriceOverride } from './contract.ts';
import { matchesGlob } from './matches-glob.ts';
import { type Band, type Period, type RateCard, rateCard, withoutGaps } from './rate-card.ts';

/** Precedence: an exact name, a prefix, a glob; within one kind the longer name, which is more specific. */
const KINDS = ['exact', 'prefix', 'glob'] as const;

/** The overrides that match a provider's model; null if there are none. */
export function overridesFor(
  overrides: readonly PriceOverride[],
  catalogue: Catalogue,
  { provider, model }: { readonly provider: string | null; readonly model: string | null },
): RateCard | null {
  const seller = catalogueProvider(catalogue, provider ?? '');
  const found = overrides
    .filter((one) => isOfProvider(one, catalogue, { provider, seller }) && isOfModel(one, model ?? ''))
    .sort(strongestFirst)
    .map((one) => ({ one, price: rateCard(sourceOf(one), seller), period: periodOf(one) }));
  if (found.length === 0) return null;
  return {
    priceAt: (ts, inputTokens, serviceTier) => {
      const own = found.find(
        ({ one, period }) =>
          period.applies(ts) && (one.serviceTier === null || one.serviceTier === serviceTier),
      );
      if (own === undefined) return null;
      // Rates set for a service tier are final, so the tier's factor does not apply.
      return own.price(own.period, inputTokens, own.one.serviceTier === null ? serviceTier : null);
    },
  };
}

const plain = (name: string): string => name.trim().toLowerCase();

function isOfProvider(
  { provider }: PriceOverride,
  catalogue: Catalogue,
  asked: { readonly provider: string | null; readonly seller: string | null },
): boolean {
  if (provider === null || plain(provider) === plain(asked.provider ?? '')) return true;
  const id = catalogueProvider(catalogue, provider);
  return id !== null && id === asked.seller;
}

function isOfModel({ match, model: pattern }: PriceOverride, model: string): boolean {
  const [name, wanted] = [plain(model), plain(pattern)];
  if (name === '') return false;
  if (match === 'exact') return name === wanted;
  return match === 'prefix' ? name.startsWith(wanted) : matchesGlob(wanted, name);
}

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

/** A fee per request as dollars per million requests, without floating-point noise. */
const perMillion = (usd: number): number => Number((usd * 1e6).toPrecision(15));

/**
 * Fills in missing rates as the catalogue does: cache reads and writes cost as fresh input, 1-hour writes as other
 * writes, reasoning as output. A price with only a fee per request makes tokens free.
 */
function ratesOf(rates: OverrideRates): Band['rates'] {
  const rate = (usd: number | undefined, key: string): ListedRate | undefined =>
    usd === undefined ? undefined : { usd, key };
  const onlyFee = rates.perRequest !== undefined && rates.input === undefined && rates.output === undefined;
  const none = onlyFee ? { usd: 0, key: 'free' } : undefined;
  const fresh = rate(rates.input, 'input') ?? none;
  const cacheWrite5m = rate(rates.cacheWrite, 'cacheWrite') ?? fresh;
  const output = rate(rates.output, 'output') ?? none;
  return withoutGaps({
    fresh,
    cacheRead: rate(rates.cacheRead, 'cacheRead') ?? fresh,
    cacheWrite5m,
    cacheWrite1h: rate(rates.cacheWrite1h, 'cacheWrite1h') ?? cacheWrite5m,
    output,
    reasoning: rate(rates.reasoning, 'reasoning') ?? output,
    request: rates.perRequest === undefined ? undefined : rate(perMillion(rates.perRequest), 'perRequest'),
  });
}
