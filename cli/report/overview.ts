import type { OverviewReply } from '../../src/features/analytics/contract.ts';
import { bar, type Cell, knownCost, missing, money, number, percentChange } from '../format.ts';
import { shortDay, shortTime } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { chart } from './chart.ts';
import { defineReport } from './define-report.ts';
import { compact, duration, lengthOf, moneyColumn, percent, pointChange, tinted } from './figures.ts';
import { compared, facts, section, unpricedCalls } from './pieces.ts';

type Bucket = OverviewReply['timeline'][number];
interface Seen {
  readonly doc: OverviewReply;
  readonly length: string;
}

export const reportOverview = defineReport<OverviewReply, Seen, Bucket>({
  name: 'overview',
  summary: 'Requests, cost, latency and errors at a glance',
  load: async () => (await import('../../src/features/analytics/index.ts')).readOverview,
  ask: async (server, { projectId, ...query }) => {
    const { overviewEndpoint } = await import('../../src/features/analytics/contract.ts');
    return server.get(overviewEndpoint, { params: { id: projectId }, query });
  },
  calls: ({ kpis }) => kpis.totalRequests,
  see: (doc, { input }) => ({ doc, length: lengthOf(input.window) }),
  render: (output, { doc, length }) => {
    printFigures(output, doc, length);
    printTimeline(output, doc);
    if (doc.topModels.length > 0) printModels(output, doc);
    if (doc.recentErrors.length > 0) printErrors(output, doc);
  },
  csv: {
    columns: [
      { header: 'hour', value: ({ hour }) => hour },
      { header: 'requests', value: ({ requests }) => requests },
      { header: 'cost', value: ({ cost }) => cost },
      { header: 'errors', value: ({ errors }) => errors },
    ],
    rows: ({ doc }) => doc.timeline,
  },
});

const printFigures = (output: Output, doc: OverviewReply, length: string): void => {
  const { kpis, previous } = doc;
  const { totalRequests, totalCost, avgLatency, errorRate, unpriced } = kpis;
  const had = previous.totalRequests > 0;
  const tokens = `${compact(kpis.inputTokens).text} in, ${compact(kpis.outputTokens).text} out`;
  facts(output, [
    {
      label: 'Requests',
      value: number(totalRequests),
      ...compared(
        percentChange(totalRequests, previous.totalRequests),
        had ? `${number(previous.totalRequests).text} in the previous ${length}` : '',
        doc,
      ),
    },
    {
      label: 'Cost',
      value: knownCost(money(totalCost), { unpriced, calls: totalRequests }),
      ...compared(
        percentChange(totalCost, previous.totalCost, 'bad'),
        had ? money(previous.totalCost).text : '',
        doc,
      ),
    },
    {
      label: 'Average latency',
      value: duration(avgLatency),
      change: percentChange(avgLatency, previous.avgLatency, 'bad'),
      note: had ? duration(previous.avgLatency).text : '',
    },
    {
      label: 'Error rate',
      value: percent(errorRate),
      change: had ? pointChange(errorRate, previous.errorRate) : missing,
      note: `${number(kpis.errors).text} errors`,
    },
    { label: 'Tokens', value: compact(kpis.inputTokens + kpis.outputTokens), change: blank, note: tokens },
  ]);
  if (unpriced === 0) return;
  output.raw('\n');
  output.line(
    tinted(`! ${unpricedCalls({ unpriced, calls: totalRequests })};`, 'warn'),
    tinted('see report costs', 'warn'),
  );
};

const blank: Cell = { text: '', align: 'right' };

const printTimeline = (output: Output, { bucket, timeline }: OverviewReply): void => {
  if (timeline.length < 2) return;
  const write = bucket === 'day' ? shortDay : shortTime;
  const points = timeline.map(({ hour, requests }) => ({ label: write(Date.parse(hour)), value: requests }));
  section(output, `Requests per ${bucket}`, 'UTC');
  for (const line of chart(points, { columns: output.columns, format: (count) => number(count).text }))
    output.line(...line);
};

const printModels = (output: Output, { topModels }: OverviewReply): void => {
  type Model = OverviewReply['topModels'][number];
  const cost = moneyColumn([]);
  const top = topModels[0]?.cost ?? 0;
  const columns: Column<Model>[] = [
    { header: 'model', value: ({ model }) => model },
    { header: 'requests', value: ({ requests }) => requests },
    {
      header: 'cost',
      value: (row) =>
        row.unpriced === row.requests ? { text: 'no price', tone: 'warn', align: 'right' } : cost(row.cost),
    },
    {
      header: '',
      value: (row) => bar(row.cost, top, output.columns < 100 ? 24 : 40),
      fixed: true,
      spare: true,
    },
  ];
  section(output, 'Top models', 'by cost');
  output.table(columns, topModels);
};

const printErrors = (output: Output, { recentErrors }: OverviewReply): void => {
  type Failure = OverviewReply['recentErrors'][number];
  const columns: Column<Failure>[] = [
    {
      header: 'time',
      value: ({ timestamp }) => tinted(shortTime(Date.parse(timestamp)), 'dim'),
      fixed: true,
    },
    {
      header: 'status',
      value: ({ status }) => tinted(status, status === 'cancelled' ? 'dim' : 'bad'),
      fixed: true,
    },
    { header: 'code', value: ({ error_code }) => error_code ?? tinted('–', 'dim') },
    { header: 'model', value: ({ model }) => model ?? tinted('–', 'dim') },
  ];
  const id: Column<Failure> = {
    header: 'event',
    value: ({ event_id }) => tinted(event_id, 'dim'),
    fixed: true,
  };
  section(output, 'Latest errors');
  output.table(output.columns < 110 ? columns : [...columns, id], recentErrors);
};
