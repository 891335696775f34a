import type { CostBreakdown } from '../contract.ts';

type Group = CostBreakdown['groups'][number];

/** Groups that are told one by one. */
export const MAX_GROUPS = 2_000;

/**
 * The first groups as they are and the rest as one, so that a reply has an end. Calls that have no value stay
 * a group of their own: they are no value among others.
 */
export function withOthers(groups: readonly Group[]): Group[] {
  const rest = groups.slice(MAX_GROUPS).filter(({ none }) => none !== true);
  if (rest.length === 0) return [...groups];
  const named = groups.filter((group, place) => place < MAX_GROUPS || group.none === true);
  return [...named, rest.reduce(together, { ...NOTHING, others: rest.length })];
}

const NOTHING: Group = {
  value: '…',
  cost: 0,
  calls: 0,
  unpriced: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheRate: 0,
  costs: [],
};

/** `all` and one group more, whose costs are on the same days. */
function together(all: Group, one: Group): Group {
  const inputTokens = all.inputTokens + one.inputTokens;
  const cached = all.cacheRate * all.inputTokens + one.cacheRate * one.inputTokens;
  return {
    ...all,
    cost: all.cost + one.cost,
    calls: all.calls + one.calls,
    unpriced: all.unpriced + one.unpriced,
    inputTokens,
    outputTokens: all.outputTokens + one.outputTokens,
    cacheRate: inputTokens === 0 ? 0 : cached / inputTokens,
    costs: one.costs.map((cost, i) => cost + (all.costs[i] ?? 0)),
  };
}
