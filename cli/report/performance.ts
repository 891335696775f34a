import type {
  PerformanceModels,
  PerformanceReply,
} from '../../src/features/analytics/performance/contract.ts';
import { bar, type Cell, number, percentChange } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { defineReport, type Reading } from './define-report.ts';
import { duration, lengthOf, percent, pointChange, tinted } from './figures.ts';
import { facts, section } from './pieces.ts';

type Model = PerformanceModels['models'][number];
interface Seen {
  readonly doc: PerformanceReply;
  readonly length: string;
  /** Most calls first. */
  readonly models: readonly Model[];
}

/** Models shown in a terminal; --csv has all. */
const MOST_MODELS = 12;

/** A figure of the API as a CSV has it: 0 stands for nothing measured. */
const measured = (value: number): number | null => value || null;

export const reportPerformance = defineReport<PerformanceReply, Seen, Model>({
  name: 'performance',
  summary: 'Latency percentiles, time to first token and throughput by model',
  load: async () => (await import('../../src/features/analytics/index.ts')).readPerformance,
  ask: async (server, query) =>
    server.get((await import('../../src/features/analytics/performance/contract.ts')).performanceEndpoint, {
      query,
    }),
  calls: ({ calls }) => calls,
  see: async (doc, reading) => ({
    doc,
    length: lengthOf(reading.input.window),
    models: await readModels(reading),
  }),
  render: (output, seen) => {
    printPercentiles(output, seen);
    printOthers(output, seen);
    if (seen.models.length > 0) printModels(output, seen.models);
  },
  csv: {
    columns: [
      { header: 'model', value: ({ model }) => model },
      { header: 'calls', value: ({ calls }) => calls },
      { header: 'p50_ms', value: ({ p50 }) => measured(p50) },
      { header: 'p90_ms', value: ({ p90 }) => measured(p90) },
      { header: 'p95_ms', value: ({ p95 }) => measured(p95) },
      { header: 'p99_ms', value: ({ p99 }) => measured(p99) },
      { header: 'avg_ttft_ms', value: ({ avgTtft }) => measured(avgTtft) },
      { header: 'tokens_per_sec', value: ({ tokensPerSec }) => measured(tokensPerSec) },
      { header: 'timeout_rate', value: ({ timeoutRate }) => timeoutRate },
    ],
    rows: ({ models }) => models,
  },
});

const readModels = async ({ source, input }: Reading): Promise<readonly Model[]> => {
  if (source.kind === 'server') {
    const { performanceModelsEndpoint } = await import(
      '../../src/features/analytics/performance/contract.ts'
    );
    const { models } = await source.server.get(performanceModelsEndpoint, { query: source.query });
    return models;
  }
  const { readPerformanceModels } = await import('../../src/features/analytics/index.ts');
  return (await readPerformanceModels(source.app, source.scope, input)).models;
};

interface Rank {
  readonly name: string;
  readonly now: number;
  readonly before: number;
}

const printPercentiles = (output: Output, { doc, length }: Seen): void => {
  const ranks = (['p50', 'p90', 'p95', 'p99'] as const).map((name) => ({
    name,
    now: doc.latencyPercentiles[name],
    before: doc.previous.latencyPercentiles[name],
  }));
  const max = doc.latencyPercentiles.p99;
  const columns: Column<Rank>[] = [
    { header: 'latency', value: ({ name }) => name, fixed: true },
    { header: 'now', value: ({ now }) => ({ ...duration(now), tone: 'bold' }) },
    { header: 'before', value: ({ before }) => ({ ...duration(before), tone: 'dim' }) },
    { header: 'change', value: ({ now, before }) => percentChange(now, before, 'bad') },
    {
      header: '',
      value: ({ now }) => bar(now, max, output.columns < 100 ? 36 : 60),
      fixed: true,
      spare: true,
    },
  ];
  output.table(columns, ranks);
  const all = `of ${number(doc.calls).text} calls`;
  const stated =
    doc.measuredCalls === doc.calls ? all : `of the ${number(doc.measuredCalls).text} ${all} with a latency`;
  output.line(tinted(`${stated}; before: the previous ${length}`, 'dim'));
  output.raw('\n');
};

const printOthers = (output: Output, { doc }: Seen): void => {
  const { previous } = doc;
  const had = previous.calls > 0;
  const perSecond: Cell = {
    text: doc.tokensPerSec === 0 ? '–' : `${number(Math.round(doc.tokensPerSec * 10) / 10).text}/s`,
    align: 'right',
  };
  facts(output, [
    {
      label: 'First token',
      value: duration(doc.avgTtft),
      change: percentChange(doc.avgTtft, previous.avgTtft, 'bad'),
      note: 'average of streamed calls',
    },
    {
      label: 'Output tokens',
      value: perSecond,
      change: percentChange(doc.tokensPerSec, previous.tokensPerSec, 'good'),
      note: 'while generating',
    },
    {
      label: 'Timeouts',
      value: percent(doc.timeoutRate),
      change: had
        ? pointChange(doc.timeoutRate, previous.timeoutRate)
        : { text: '–', tone: 'dim', align: 'right' },
      note: 'of all calls',
    },
  ]);
};

const printModels = (output: Output, models: readonly Model[]): void => {
  const columns: Column<Model>[] = [
    { header: 'model', value: ({ model }) => model },
    { header: 'calls', value: ({ calls }) => calls },
    { header: 'p50', value: ({ p50 }) => duration(p50) },
    { header: 'p95', value: ({ p95 }) => duration(p95) },
    { header: 'p99', value: ({ p99 }) => duration(p99) },
    { header: 'ttft', value: ({ avgTtft }) => duration(avgTtft) },
    {
      header: 'tok/s',
      value: ({ tokensPerSec }) => (tokensPerSec > 0 ? Math.round(tokensPerSec) : null),
    },
    { header: 'timeouts', value: ({ timeoutRate }) => percent(timeoutRate) },
  ];
  section(output, 'By model', 'most calls first');
  output.table(columns, models.slice(0, MOST_MODELS));
  const more = models.length - MOST_MODELS;
  if (more > 0) output.line(tinted(`and ${more} more, with --csv`, 'dim'));
};
