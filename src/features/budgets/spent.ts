import {
  isTagValueKept,
  type LabelDimension,
  type LabelGroup,
  queryLabels,
  queryTotals,
  type Window,
} from '../../core/events/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import type { BudgetOf } from './contract.ts';

/** What is asked of a budget: `projects` are the numbers of those it is about. */
export type SpentQuery = {
  readonly of: BudgetOf;
  readonly projects: readonly number[];
  /** Whole UTC days, cut at this moment. */
  readonly window: Window;
};

/** What was spent, in nano-dollars. */
export type Spent = {
  readonly nano: number;
  readonly calls: number;
  readonly unpriced: number;
  readonly tracked: boolean;
};

/** What was spent in several budgets, in their order; from roll-ups, of users from their events' index. */
export const spentRead: ReadOp<readonly SpentQuery[], Spent[]> = {
  name: 'budgets.spent',
  run(reader, queries) {
    const groups = new Map<string, LabelGroup[]>();
    return queries.map((query) => {
      const own: Reader = { ...reader, projects: query.projects };
      const dimension = dimensionOf(query.of);
      return dimension === null ? spentByCalls(own, query) : spentByLabel(own, query, dimension, groups);
    });
  },
};

function dimensionOf(of: BudgetOf): LabelDimension | null {
  if (of.kind === 'key') return { of: 'key' };
  return of.kind === 'tag' ? { of: 'tag', tag: of.tag } : null;
}

function spentByCalls(reader: Reader, { of, window }: SpentQuery): Spent {
  const filters = of.kind === 'user' ? { userId: of.userId } : {};
  const measures = ['cost', 'requests', 'unpriced'] as const;
  const { cost, requests, unpriced } = queryTotals(reader, { measures, filters, window });
  return { nano: Math.round(cost * 1e9), calls: requests, unpriced, tracked: true };
}

/** Budgets of one tag in one time share a reading of its sums. */
function spentByLabel(
  reader: Reader,
  { of, window }: SpentQuery,
  dimension: LabelDimension,
  known: Map<string, LabelGroup[]>,
): Spent {
  const id = JSON.stringify([reader.projects, window, dimension]);
  const groups = known.get(id) ?? queryLabels(reader, window, dimension);
  known.set(id, groups);
  const value = of.kind === 'key' ? of.keyId : of.kind === 'tag' ? of.value : null;
  const found = groups.find((group) => group.value === value);
  return {
    nano: found?.sums.cost_nano ?? 0,
    calls: found?.sums.requests ?? 0,
    unpriced: found?.sums.unpriced ?? 0,
    tracked:
      dimension.of === 'key' || found !== undefined || isTagValueKept(reader, dimension.tag, value ?? ''),
  };
}
