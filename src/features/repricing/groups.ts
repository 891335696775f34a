import type { RepricingGroup } from './contract.ts';

/** Maximum number of groups of a re-pricing; the rest is merged into one group per day. */
const MAX_GROUPS = 5_000;
const idOf = ({ day, provider, model }: RepricingGroup): string => JSON.stringify([day, provider, model]);

/** Merges groups of the same day and model. Amounts are nano-dollars here. */
export function addGroups(into: Map<string, RepricingGroup>, groups: readonly RepricingGroup[]): void {
  for (const group of groups) {
    const known = into.get(idOf(group));
    into.set(idOf(group), known === undefined ? group : sumOf(known, group));
  }
}

const sumOf = (a: RepricingGroup, b: RepricingGroup): RepricingGroup => ({
  ...a,
  events: a.events + b.events,
  unpricedBefore: a.unpricedBefore + b.unpricedBefore,
  unpricedAfter: a.unpricedAfter + b.unpricedAfter,
  before: a.before + b.before,
  after: a.after + b.after,
});

/** The groups as the API returns them: by day, then by largest change, in US dollars. */
export function toGroups(all: readonly RepricingGroup[]): RepricingGroup[] {
  const change = ({ before, after }: RepricingGroup): number => Math.abs(after - before);
  const sorted = all.toSorted((a, b) => (a.day === b.day ? change(b) - change(a) : a.day < b.day ? -1 : 1));
  const rest = new Map<string, RepricingGroup>();
  addGroups(
    rest,
    sorted.slice(MAX_GROUPS).map((group) => ({ ...group, provider: null, model: 'others' })),
  );
  return [...sorted.slice(0, MAX_GROUPS), ...rest.values()].map((group) => ({
    ...group,
    before: group.before / 1e9,
    after: group.after / 1e9,
  }));
}
