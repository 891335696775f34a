import type { ConditionalPrice, ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import type { Alias } from '../aliases/alias.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CatalogueChange, RateChange } from './contract.ts';
import { namedRate } from './rate-names.ts';
import { canonicalJson } from './sign-pack.ts';

/** A rate of a model with the condition under which it applies, as a key and as columns. */
type Rate = Omit<RateChange, 'before' | 'after'> & { readonly usd: number };

/** What differs between two catalogues, by provider and model in the order of the new one; what ended comes last. */
export function compareCatalogues(before: Catalogue, after: Catalogue): CatalogueChange[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const changes: CatalogueChange[] = [];
  for (const [key, entry] of now) {
    const was = old.get(key);
    if (was === undefined) changes.push(changeOf('added', entry, compareRates(new Map(), entry.rates())));
    else if (!isSame(was, entry)) {
      changes.push({
        ...changeOf('changed', entry, compareRates(was.rates(), entry.rates())),
        note: noteOf(was, entry),
      });
    }
  }
  for (const [key, entry] of old)
    if (!now.has(key)) changes.push(changeOf('ended', entry, compareRates(entry.rates(), new Map())));
  return changes;
}

/** A model or an alias. Rates are made only for what differs: most of a catalogue stays as it is. */
type Entry = {
  readonly provider: string;
  readonly model: string;
  readonly rates: () => ReadonlyMap<string, Rate>;
  readonly note: string | null;
  /** Everything that decides about prices. */
  readonly decides: readonly unknown[];
};

const isSame = ({ decides: a }: Entry, { decides: b }: Entry): boolean =>
  a.every((part, i) => part === b[i]) ||
  JSON.stringify(a) === JSON.stringify(b) ||
  canonicalJson(a) === canonicalJson(b);

const changeOf = (
  change: CatalogueChange['change'],
  { provider, model, note }: Entry,
  rates: RateChange[],
): CatalogueChange => ({ change, provider, model, rates, note });

const noteOf = (was: Entry, now: Entry): string | null =>
  now.note ?? (compareRates(was.rates(), now.rates()).length === 0 ? 'applies to other names' : null);

function entriesOf({ providers, aliases }: Catalogue): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const { id, models } of providers)
    for (const model of models) found.set(`${id}/${model.id}`, modelEntry(id, model));
  for (const alias of aliases) found.set(`alias ${alias.provider}/${alias.name}`, aliasEntry(alias));
  return found;
}

const modelEntry = (provider: string, { id, match, prices }: ModelInfo): Entry => ({
  provider,
  model: id,
  rates: () => ratesOf(prices),
  note: null,
  decides: [match, prices],
});

function aliasEntry({ provider, name, targets }: Alias): Entry {
  const last = targets.at(-1);
  const note = `alias of ${last?.model} since ${last?.from.slice(0, 10)}`;
  return { provider, model: name, rates: () => new Map(), note, decides: [targets] };
}

function ratesOf(prices: ModelInfo['prices']): Map<string, Rate> {
  const all: ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }];
  const rates = all.flatMap(({ constraint, prices: listed }) => tiersOf(listed, conditionOf(constraint)));
  return new Map(rates.map((rate) => [`${rate.rate} ${rate.above} ${rate.from} ${rate.daily}`, rate]));
}

type Condition = Pick<RateChange, 'from' | 'daily'>;

function conditionOf(constraint: ConditionalPrice['constraint']): Condition {
  if (constraint === undefined) return { from: null, daily: null };
  if (constraint.type === 'start_date') return { from: constraint.start_date, daily: null };
  return { from: null, daily: `${constraint.start_time}/${constraint.end_time}` };
}

function tiersOf(prices: ModelPrice, condition: Condition): Rate[] {
  return Object.entries(prices).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'number') return [{ ...namedRate(key, value), above: null, ...condition }];
    return [
      { ...namedRate(key, value.base), above: null, ...condition },
      ...value.tiers.map(({ start, price }) => ({ ...namedRate(key, price), above: start, ...condition })),
    ];
  });
}

function compareRates(before: ReadonlyMap<string, Rate>, after: ReadonlyMap<string, Rate>): RateChange[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    const one = now ?? old;
    if (one === undefined || old?.usd === now?.usd) return [];
    const { rate, above, from, daily } = one;
    return [{ rate, above, from, daily, before: old?.usd ?? null, after: now?.usd ?? null }];
  });
}
