import type { Ctx } from '../../context.ts';
import { eventsOf, type LabelDimension, type MetricsQuery, type Window } from '../events/index.ts';
import type { EventScope } from '../tenancy/index.ts';
import type { BudgetOf } from './contract.ts';

/** What is asked of a budget: the projects that it is about. */
export type SpentQuery = {
  readonly of: BudgetOf;
  readonly scope: EventScope;
  /** Whole UTC days, cut at this moment. */
  readonly window: Window;
};

/** What was spent, in nano-dollars, in all and on each day of the window. `tracked`: false for a value of a tag that is not told apart. */
export type Spent = {
  readonly nano: number;
  readonly days: readonly number[];
  readonly calls: number;
  readonly unpriced: number;
  readonly tracked: boolean;
};

export const NOTHING: Spent = { nano: 0, days: [], calls: 0, unpriced: 0, tracked: true };

/** What was spent in several budgets, in their order: those of the same projects are asked for together. */
export async function readSpent(ctx: Ctx, queries: readonly SpentQuery[]): Promise<Spent[]> {
  const byScope = Map.groupBy(queries, ({ scope }) => scope.projects.join());
  const found = await Promise.all(
    [...byScope.values()].map(async (own) => {
      const spent = await readSpentOf(ctx, own);
      return own.map((query, i): [SpentQuery, Spent] => [query, spent[i] ?? NOTHING]);
    }),
  );
  const answers = new Map(found.flat());
  return queries.map((query) => answers.get(query) ?? NOTHING);
}

/** The same of budgets of one scope. Budgets of one tag in one time share a question. */
async function readSpentOf(ctx: Ctx, queries: readonly SpentQuery[]): Promise<Spent[]> {
  const [first] = queries;
  if (first === undefined || first.scope.projects.length === 0) return queries.map(() => NOTHING);
  const questions = queries.map(toQuestion);
  const answers = await eventsOf(ctx).metrics(
    first.scope,
    Object.fromEntries(questions.map((question) => [JSON.stringify(question), question])),
  );
  const rows = questions.map((question, i) => {
    const dimension = dimensionOf(queries[i]?.of);
    const all = answers[JSON.stringify(question)] ?? [];
    return dimension === null ? all[0] : all.find((row) => row[dimension] === labelOf(queries[i]?.of));
  });
  return Promise.all(
    rows.map(async (row, i): Promise<Spent> => {
      const of = queries[i]?.of;
      if (row !== undefined)
        return {
          nano: Math.round(row.cost * 1e9),
          days: row.costs.map((usd) => Math.round(usd * 1e9)),
          calls: row.requests,
          unpriced: row.unpriced,
          tracked: true,
        };
      if (of?.kind !== 'tag') return NOTHING;
      const tracked = await eventsOf(ctx).keepsTagValue(first.scope, { tag: of.tag, value: of.value });
      return { ...NOTHING, tracked };
    }),
  );
}

const MEASURES = ['cost', 'requests', 'unpriced'] as const;
type Question = MetricsQuery & {
  readonly measures: typeof MEASURES;
  readonly groupBy: readonly LabelDimension[];
  readonly costsBy: 'day';
};

function toQuestion({ of, window }: SpentQuery): Question {
  const dimension = dimensionOf(of);
  if (dimension !== null) return { measures: MEASURES, groupBy: [dimension], costsBy: 'day', window };
  const filters = of.kind === 'user' ? { userId: of.userId } : {};
  return { measures: MEASURES, groupBy: [], costsBy: 'day', filters, window };
}

function dimensionOf(of: BudgetOf | undefined): LabelDimension | null {
  if (of?.kind === 'key') return 'keyId';
  return of?.kind === 'tag' ? `tag:${of.tag}` : null;
}

function labelOf(of: BudgetOf | undefined): string | null {
  if (of?.kind === 'key') return of.keyId;
  return of?.kind === 'tag' ? of.value : null;
}
