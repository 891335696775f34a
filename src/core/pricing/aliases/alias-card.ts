import type { ModelInfo } from '@pydantic/genai-prices';
import { type ReadyPrice, readyPrice } from '../applied-price.ts';
import { catalogueCard, type RateCard } from '../rate-card.ts';
import { type Alias, type AliasTarget, modelOfTarget } from './alias.ts';

type Target = { readonly from: number; readonly to: AliasTarget; readonly card: RateCard };

/**
 * The prices of an alias: at each time those of the model that it stood for. Before the first known target, and while
 * a change is not confirmed, the price is an estimate, and its note says why.
 */
export function aliasCard(
  of: { readonly version: string; readonly provider: string; readonly models: readonly ModelInfo[] },
  alias: Alias,
): RateCard {
  const targets: Target[] = alias.targets.flatMap((to) => {
    const model = modelOfTarget(of.models, to);
    if (model === undefined) return [];
    return [{ from: Date.parse(to.from), to, card: catalogueCard(of.version, of.provider, model) }];
  });
  const noted = new Map<ReadyPrice, ReadyPrice>();
  const withNote = (ready: ReadyPrice, note: string): ReadyPrice => {
    const known = noted.get(ready);
    if (known !== undefined) return known;
    const notes = [ready.price.note, note].filter((one) => one !== null);
    const made = readyPrice({ ...ready.price, note: notes.join('; ') });
    // Prices of service tiers are only cached up to a number, so this is bounded too.
    if (noted.size < 100) noted.set(ready, made);
    return made;
  };
  return {
    priceAt: (ts, inputTokens, modifiers) => {
      const target = targets.findLast(({ from }) => ts >= from) ?? targets[0];
      const ready = target?.card.priceAt(ts, inputTokens, modifiers) ?? null;
      if (target === undefined || ready === null) return ready;
      const note = doubtOf(alias.name, target, ts);
      return note === null ? ready : withNote(ready, note);
    },
  };
}

/** Why the target at a time is uncertain; null if it is documented. */
function doubtOf(name: string, { from, to }: Target, ts: number): string | null {
  if (ts < from)
    return `what ${name} stood for before ${to.from.slice(0, 10)} is unknown: the price of ${to.model} was used`;
  if (to.surely !== undefined && ts < Date.parse(to.surely))
    return `${name} moved to ${to.model} between ${to.from.slice(0, 10)} and ${to.surely}: the price of ${to.model} was used`;
  return null;
}
