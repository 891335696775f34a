import type { PRICE_MATCHES, PriceRow } from '../../../core/pricing/contract.ts';
import { RATE_GROUPS, type Rate } from '../rate-labels.ts';

type Match = (typeof PRICE_MATCHES)[number];

export const MATCHES: Readonly<Record<Match, string>> = {
  exact: 'Exact',
  prefix: 'Prefix',
  glob: 'Wildcard (* and ?)',
};
const isMatch = (text: string): text is Match => Object.hasOwn(MATCHES, text);

/** What a form starts with. `id`: the price that is changed; null for a new one. */
export type PriceStart = Pick<
  PriceRow,
  | 'provider'
  | 'match'
  | 'model'
  | 'serviceTier'
  | 'rates'
  | 'tiers'
  | 'effectiveFrom'
  | 'effectiveUntil'
  | 'note'
> & { readonly id: string | null };

/** A new price of a model. */
export const newPrice = (provider: string | null, model: string): PriceStart => ({
  id: null,
  provider,
  match: 'exact',
  model,
  serviceTier: null,
  rates: {},
  tiers: [],
  effectiveFrom: null,
  effectiveUntil: null,
  note: null,
});

/** Rates that a tier has fields for; others that it has are kept. */
export const TIER_RATES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const satisfies readonly Rate[];

type Fields = Readonly<Record<string, string | undefined>>;
export type PriceBody = Omit<PriceStart, 'id'>;

const textOf = (text = ''): string | null => (text.trim() === '' ? null : text.trim());

/** The body of a price from the fields of its form. `tiers`: the tiers that the form shows, as they were. */
export function readFields(fields: Fields, tiers: PriceStart['tiers']): PriceBody {
  const match = fields.match ?? '';
  const rates = RATE_GROUPS.flatMap((group) => group.rates).flatMap(([rate]) => {
    const text = textOf(fields[rate]);
    return text === null ? [] : [[rate, Number(text)] as const];
  });
  return {
    model: (fields.model ?? '').trim(),
    match: isMatch(match) ? match : 'exact',
    provider: textOf(fields.provider),
    serviceTier: textOf(fields.serviceTier),
    rates: Object.fromEntries(rates),
    tiers: tiers.map((tier, i) => readTier(fields, tier, i)),
    effectiveFrom: textOf(fields.effectiveFrom),
    effectiveUntil: textOf(fields.effectiveUntil),
    note: textOf(fields.note),
  };
}

function readTier(
  fields: Fields,
  before: PriceStart['tiers'][number],
  i: number,
): PriceStart['tiers'][number] {
  const tier = {
    ...before,
    above: Number(textOf(fields[tierField(i, 'above')]) ?? 0),
  };
  for (const rate of TIER_RATES) {
    const text = textOf(fields[tierField(i, rate)]);
    if (text === null) delete tier[rate];
    else tier[rate] = Number(text);
  }
  return tier;
}

/** The name of a tier's field. */
export const tierField = (i: number, name: string): string => `tier${i}.${name}`;
