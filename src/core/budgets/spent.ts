import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import {
  eventsOf,
  type LabelDimension,
  type MetricsQuery,
  type MetricsRow,
  type Window,
} from '../events/index.ts';
import { listReplacements } from '../keys/index.ts';
import type { EventScope } from '../tenancy/index.ts';
import type { BudgetOf } from './contract.ts';

/** What is asked of a budget: the projects that it is about. */
export type SpentQuery = {
  readonly of: BudgetOf;
  readonly scope: EventScope;
  /** Whole UTC days, cut at this moment. */
  readonly window: Window;
};

/** What was spent, in nano-dollars, in all and on each day of the window. `tracked`: false if calls are missing. */
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

/** The same of budgets of one scope. Budgets of one tag, or of agents, in one time share a question. */
async function readSpentOf(ctx: Ctx, queries: readonly SpentQuery[]): Promise<Spent[]> {
  const [first] = queries;
  if (first === undefined || first.scope.projects.length === 0) return queries.map(() => NOTHING);
  const questions = queries.map(toQuestion);
  const { byName, others } = Object.groupBy(questions, (question) =>
    question.groupBy.some(isByName) ? 'byName' : 'others',
  );
  const [answers, callByCall] = await Promise.all([
    eventsOf(ctx).metrics(first.scope, byText(others ?? [])),
    readCallByCall(ctx, first.scope, byText(byName ?? [])),
  ]);
  const hasKeys = queries.some(({ of }) => of.kind === 'key');
  const replacements = hasKeys ? await listReplacements(ctx, first.scope.owner) : null;
  const rows = questions.map((question, i) => {
    const of = queries[i]?.of;
    const dimension = dimensionOf(of);
    const text = JSON.stringify(question);
    const all = answers[text] ?? callByCall.get(text)?.rows ?? [];
    if (dimension === null) return all.slice(0, 1);
    const label = labelOf(of) ?? '';
    // What keys spent that replaced one another counts together.
    const labels = (of?.kind === 'key' && replacements?.get(label)) || [label];
    return all.filter((row) => labels.includes(row[dimension] ?? ''));
  });
  return Promise.all(
    rows.map(async (own, i): Promise<Spent> => {
      const of = queries[i]?.of;
      const isComplete = callByCall.get(JSON.stringify(questions[i]))?.isComplete ?? true;
      if (own.length > 0) return { ...own.map(toSpent).reduce(together), tracked: isComplete };
      if (of?.kind !== 'tag') return { ...NOTHING, tracked: isComplete };
      const tracked = await eventsOf(ctx).keepsTagValue(first.scope, { tag: of.tag, value: of.value });
      return { ...NOTHING, tracked };
    }),
  );
}

const toSpent = ({ cost, costs, requests, unpriced }: Row): Spent => ({
  nano: Math.round(cost * 1e9),
  days: costs.map((usd) => Math.round(usd * 1e9)),
  calls: requests,
  unpriced,
  tracked: true,
});

const together = (a: Spent, b: Spent): Spent => ({
  nano: a.nano + b.nano,
  days: a.days.map((nano, i) => nano + (b.days[i] ?? 0)),
  calls: a.calls + b.calls,
  unpriced: a.unpriced + b.unpriced,
  tracked: a.tracked && b.tracked,
});

const MEASURES = ['cost', 'requests', 'unpriced'] as const;
type Question = MetricsQuery & {
  readonly measures: typeof MEASURES;
  readonly groupBy: readonly Grouped[];
  readonly costsBy: 'day';
};
/** Dimensions that one question answers for the budgets of several values. */
type Grouped = LabelDimension | Named;
type Named = 'agent' | 'tool';
type Row = MetricsRow<Question>;

const isByName = (dimension: Grouped): dimension is Named => dimension === 'agent' || dimension === 'tool';

const byText = (questions: readonly Question[]): Record<string, Question> =>
  Object.fromEntries(questions.map((question) => [JSON.stringify(question), question]));

/**
 * Answers of which there are no sums: they lack the calls that retention or damage took, and a reader refuses too many
 * calls. Then the other budgets still have their figures.
 */
async function readCallByCall(
  ctx: Ctx,
  scope: EventScope,
  questions: Readonly<Record<string, Question>>,
): Promise<ReadonlyMap<string, { readonly rows: readonly Row[]; readonly isComplete: boolean }>> {
  const answers = await Promise.all(
    Object.entries(questions).map(async ([text, question]) => {
      const { window } = question;
      const all = { measures: ['requests'], window } as const satisfies MetricsQuery;
      try {
        const found = await eventsOf(ctx).metrics(scope, { rows: question, all });
        const calls = found.rows.reduce((sum, row) => sum + row.requests, 0);
        return [text, { rows: found.rows, isComplete: calls >= (found.all[0]?.requests ?? 0) }] as const;
      } catch (error) {
        if (!(error instanceof AppError && error.status === 400)) throw error;
        return [text, { rows: [] as Row[], isComplete: false }] as const;
      }
    }),
  );
  return new Map(answers);
}

function toQuestion({ of, window }: SpentQuery): Question {
  const dimension = dimensionOf(of);
  if (dimension !== null) return { measures: MEASURES, groupBy: [dimension], costsBy: 'day', window };
  const filters = of.kind === 'user' ? { userId: of.userId } : {};
  return { measures: MEASURES, groupBy: [], costsBy: 'day', filters, window };
}

function dimensionOf(of: BudgetOf | undefined): Grouped | null {
  if (of?.kind === 'key') return 'keyId';
  if (of?.kind === 'agent' || of?.kind === 'tool') return of.kind;
  return of?.kind === 'tag' ? `tag:${of.tag}` : null;
}

function labelOf(of: BudgetOf | undefined): string | null {
  if (of?.kind === 'key') return of.keyId;
  if (of?.kind === 'agent') return of.agent;
  if (of?.kind === 'tool') return of.tool;
  return of?.kind === 'tag' ? of.value : null;
}
