import { z } from 'zod';
import { METRIC_MEASURES } from '../../src/core/events/query/contract.ts';
import type { AnomaliesReply, Anomaly } from '../../src/features/ai/anomalies/contract.ts';
import { type BaseContext, defineCommand } from '../command.ts';
import type { CellValue } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { figureCell } from '../query/figure-cell.ts';
import { warnLeftOut } from '../report/pieces.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';

const columns: readonly Column<Anomaly & { readonly place: number }>[] = [
  { header: '#', value: ({ place }) => place },
  { header: 'hour', value: ({ peakAt }) => shortTime(Date.parse(peakAt)) },
  {
    header: 'severity',
    value: ({ severity }) => ({ text: severity, tone: severity === 'critical' ? 'bad' : 'warn' }),
  },
  { header: 'measure', value: ({ measure }) => measure },
  {
    header: 'of',
    value: ({ dimension, value }) => (dimension === 'all' ? 'all calls' : `${dimension} ${value}`),
  },
  { header: 'value', value: ({ measure, peak }) => figureOf(measure, peak) },
  { header: 'usual', value: ({ measure, usual }) => figureOf(measure, usual) },
];

const figureOf = (name: Anomaly['measure'], value: number | null): CellValue =>
  figureCell({ name, unit: METRIC_MEASURES[name].unit }, value);

/** Which hours are looked at, and how closely. */
export const anomalyOptions = {
  ...projectOption,
  ...windowOptions,
  sensitivity: {
    value: 'LEVEL',
    summary: 'How far from the usual: low, medium or high',
    type: z.enum(['low', 'medium', 'high']),
    default: 'medium',
  },
} as const;

type Wish = {
  readonly project: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly sensitivity: 'low' | 'medium' | 'high';
};

/** The unusual hours, the furthest from the usual first. */
export const readAnomalies = (ctx: BaseContext, wish: Wish): Promise<AnomaliesReply> => {
  const now = Date.now();
  const { project, sensitivity } = wish;
  const window = parseWindow(wish, now);
  return readOfProject<AnomaliesReply>(ctx, project, {
    file: async (app, scope) => {
      const { listAnomalies } = await import('../../src/features/ai/index.ts');
      return listAnomalies(app, scope, { ...window, sensitivity, now });
    },
    server: async (server, { id }) => {
      const { anomaliesEndpoint } = await import('../../src/features/ai/anomalies/contract.ts');
      return server.get(anomaliesEndpoint, { query: { projectId: id, ...toQuery(window), sensitivity } });
    },
  });
};

export const anomaliesList = defineCommand({
  name: 'anomalies list',
  summary: 'List unusual hours of cost, calls, errors and latency by model, user and agent',
  options: anomalyOptions,
  examples: ['spanledger anomalies list', 'spanledger anomalies list --start 14d --sensitivity high --json'],
  run: async (ctx) => {
    const { output } = ctx;
    const reply = await readAnomalies(ctx, ctx.options);
    output.result(reply, () => {
      if (reply.anomalies.length === 0)
        return output.info(
          reply.learning ? 'Too little history: two weeks are the least' : 'No unusual hours',
        );
      output.table(
        columns,
        reply.anomalies.map((anomaly, i) => ({ ...anomaly, place: i + 1 })),
      );
      output.info('`spanledger anomalies explain 1` with the same options explains the first');
    });
    warnLeftOut(output, reply);
  },
});
