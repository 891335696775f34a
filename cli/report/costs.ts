import type { Budget } from '../../src/core/budgets/contract.ts';
import { operatorOrganization } from '../../src/core/tenancy/index.ts';
import type { CostsReply } from '../../src/features/analytics/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { budgetColumns } from '../budgets/print.ts';
import { bar, type Cell, knownCost, markedCost, money, number, percentChange } from '../format.ts';
import { shortDay } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import type { KnownProject } from '../project.ts';
import type { RemoteServer } from '../remote/server.ts';
import { EXIT, UserError } from '../user-error.ts';
import { chart } from './chart.ts';
import { defineReport, type Source } from './define-report.ts';
import { compact, lengthOf, moneyColumn, percent, tinted } from './figures.ts';
import { compared, facts, section, unpricedCalls } from './pieces.ts';

type Model = CostsReply['byModel'][number];
interface Seen {
  readonly doc: CostsReply;
  readonly length: string;
  /** Budgets of the organization, of the project and of parts of the project. */
  readonly budgets: readonly Budget[];
}

export const reportCosts = defineReport<CostsReply, Seen, Model>({
  name: 'costs',
  summary: 'Costs by model and day, compared with the previous period',
  load: async () => (await import('../../src/features/analytics/index.ts')).readCosts,
  ask: async (server, query) =>
    server.get((await import('../../src/features/analytics/contract.ts')).costsEndpoint, { query }),
  calls: ({ calls }) => calls,
  see: async (doc, { source, project, input }) => ({
    doc,
    length: lengthOf(input.window),
    budgets: await budgetsOf(source, project),
  }),
  render: (output, seen) => {
    printTotals(output, seen);
    if (seen.doc.unpriced > 0) printUnpriced(output, seen.doc);
    if (seen.doc.byModel.length > 0) printModels(output, seen.doc);
    if (seen.doc.dailyTrend.length > 1) printDays(output, seen.doc);
    if (seen.budgets.length > 0) printBudgets(output, seen.budgets);
  },
  split: async (request) => (await import('./costs-by.ts')).printCostsBy(request),
  csv: {
    columns: [
      { header: 'model', value: ({ model }) => model },
      { header: 'calls', value: ({ calls }) => calls },
      { header: 'input_tokens', value: ({ input_tokens }) => input_tokens },
      { header: 'output_tokens', value: ({ output_tokens }) => output_tokens },
      { header: 'avg_cost', value: ({ avg_cost }) => avg_cost },
      { header: 'total_cost', value: ({ total_cost }) => total_cost },
      { header: 'unpriced', value: ({ unpriced }) => unpriced },
    ],
    rows: ({ doc: { byModel, otherModels } }) => [
      ...byModel,
      ...(otherModels === undefined
        ? []
        : [{ ...otherModels, model: `(${countText(otherModels.models, 'other model')})`, avg_cost: null }]),
    ],
  },
});

/** Budgets of the organization, of the project and of parts of the project. */
const budgetsOf = async (source: Source, { id, organizationId }: KnownProject): Promise<Budget[]> => {
  const concerns = (projectId: string | null | undefined): boolean => projectId == null || projectId === id;
  if (source.kind === 'server') return remoteBudgets(source.server, organizationId, concerns);
  const { listBudgetRows, withStatus } = await import('../../src/core/budgets/index.ts');
  const rows = await listBudgetRows(source.app, organizationId);
  return withStatus(
    source.app,
    operatorOrganization(organizationId),
    rows.filter(({ projectId }) => concerns(projectId)),
  );
};

/** None with an access token for one project, which cannot see budgets. */
const remoteBudgets = async (
  server: RemoteServer,
  organizationId: string,
  concerns: (projectId: string | undefined) => boolean,
): Promise<Budget[]> => {
  const { listBudgetsEndpoint } = await import('../../src/core/budgets/contract.ts');
  try {
    const { budgets } = await server.get(listBudgetsEndpoint, { query: { organizationId } });
    return budgets.filter(({ of }) => concerns('projectId' in of ? of.projectId : undefined));
  } catch (error) {
    if (error instanceof UserError && error.exit === EXIT.denied) return [];
    throw error;
  }
};

const printBudgets = (output: Output, budgets: readonly Budget[]): void => {
  section(output, 'Budgets', 'UTC');
  output.table(budgetColumns, budgets);
};

const printTotals = (output: Output, { doc, length }: Seen): void => {
  const { total, previousTotal, calls, tokens } = doc;
  // Below one dollar, cents are too coarse for the amounts of a first day.
  const amount = moneyColumn(total < 1 ? [total] : []);
  const priced = calls - doc.unpriced;
  const before = previousTotal > 0 ? `${amount(previousTotal).text} in the previous ${length}` : '';
  const unpriced = doc.mtdUnpriced > 0 ? `, ${countText(doc.mtdUnpriced, 'call')} without a price` : '';
  facts(output, [
    {
      label: 'Total',
      value: knownCost(amount(total), doc),
      ...compared(percentChange(total, previousTotal, 'bad'), before, doc),
    },
    {
      label: 'Month to date',
      value: monthToDate(amount(doc.mtdTotal), doc),
      note: `this calendar month${unpriced}`,
    },
    {
      label: 'Next 30 days',
      value: doc.forecastDays === 0 ? money(null) : amount(doc.forecast30d),
      note: forecastNote(doc),
    },
    {
      label: 'Calls',
      value: number(calls),
      note: priced > 0 ? `${money(total / priced).text} per priced call` : '',
    },
    {
      label: 'Cache rate',
      value: percent(doc.cacheRate),
      note: `of ${compact(tokens.input).text} input tokens`,
    },
  ]);
};

/** The reply does not count the calls of the month: of those without a price all are, where nothing else cost. */
const monthToDate = (cost: Cell, { mtdTotal, mtdUnpriced }: CostsReply): Cell =>
  markedCost(cost, mtdUnpriced === 0 ? 'known' : mtdTotal === 0 ? 'unpriced' : 'minimum');

const forecastNote = ({ forecastDays: days, forecast30d, mtdTotal }: CostsReply): string => {
  if (days === 0) return 'known after a full day';
  if (forecast30d === 0 && mtdTotal > 0) return `the trend of ${countText(days, 'full day')} falls to 0`;
  return days === 1 ? 'based on one full day' : `based on the last ${days} full days`;
};

const printUnpriced = (output: Output, { unpriced, calls, unpricedModels }: CostsReply): void => {
  output.raw('\n');
  output.line(tinted(`! ${unpricedCalls({ unpriced, calls })}:`, 'warn'));
  for (const { provider, model, calls, tokens } of unpricedModels.slice(0, 5)) {
    const name = provider === null ? model : `${provider}/${model}`;
    output.line(
      { text: '   ' },
      name,
      tinted(`${countText(calls, 'call')}, ${compact(tokens).text} tokens`, 'dim'),
    );
  }
  const more = unpricedModels.length - 5;
  if (more > 0) output.line(tinted(`    and ${more} more models, with --json`, 'dim'));
};

const printModels = (output: Output, { byModel, otherModels, total }: CostsReply): void => {
  const cost = moneyColumn(total < 1 ? byModel.map(({ total_cost }) => total_cost) : []);
  const each = moneyColumn(byModel.flatMap(({ avg_cost }) => avg_cost ?? []));
  const top = byModel[0]?.total_cost ?? 0;
  const isUnpriced = (row: Model): boolean => row.unpriced === row.calls;
  const columns: Column<Model>[] = [
    { header: 'model', value: ({ model }) => model },
    { header: 'calls', value: ({ calls }) => calls },
    { header: 'tokens', value: (row) => compact(row.input_tokens + row.output_tokens) },
    { header: 'per priced call', value: (row) => (row.avg_cost === null ? null : each(row.avg_cost)) },
    { header: 'cost', value: (row) => knownCost(cost(row.total_cost), row) },
    {
      header: 'share',
      value: (row) => (isUnpriced(row) || total === 0 ? null : percent(row.total_cost / total)),
    },
    {
      header: '',
      value: (row) => bar(row.total_cost, top, output.columns < 100 ? 12 : 30),
      fixed: true,
      spare: true,
    },
  ];
  section(output, 'By model');
  output.table(columns, byModel);
  if (otherModels !== undefined)
    output.line(
      tinted(
        `and ${countText(otherModels.models, 'other model')}: ${countText(otherModels.calls, 'call')}, ${knownCost(money(otherModels.total_cost), otherModels).text}`,
        'dim',
      ),
    );
};

const printDays = (output: Output, { dailyTrend }: CostsReply): void => {
  const points = dailyTrend.map(({ date, cost }) => ({ label: shortDay(Date.parse(date)), value: cost }));
  const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length;
  section(output, 'Per day', `${money(mean).text} on average, UTC`);
  for (const line of chart(points, { columns: output.columns, format: (usd) => money(usd).text }))
    output.line(...line);
};
