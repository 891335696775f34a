import type { CostBreakdown } from './contract.ts';

type Group = CostBreakdown['groups'][number];

/** Groups that are told one by one. */
export const MAX_GROUPS = 2_000;

/** The first groups as they are and the rest as one, so that a reply has an end. */
export function withOthers(groups: readonly Group[]): Group[] {
  const rest = groups.slice(MAX_GROUPS);
  if (rest.length === 0) return [...groups];
  const others = rest.reduce(together);
  return [...groups.slice(0, MAX_GROUPS), { ...others, value: '…', others: rest.length }];
}

function together(a: Group, b: Group): Group {
  const inputTokens = a.inputTokens + b.inputTokens;
  const cached = a.cacheRate * a.inputTokens + b.cacheRate * b.inputTokens;
  return {
    value: '…',
    cost: a.cost + b.cost,
    calls: a.calls + b.calls,
    unpriced: a.unpriced + b.unpriced,
    inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheRate: inputTokens === 0 ? 0 : cached / inputTokens,
    costs: a.costs.map((cost, i) => cost + (b.costs[i] ?? 0)),
  };
}
