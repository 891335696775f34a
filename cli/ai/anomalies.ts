import { z } from 'zod';
import { METRIC_MEASURES } from '../../src/core/events/query/contract.ts';
import type { AnomaliesReply, Anomaly } from '../../src/features/ai/anomalies/contract.ts';
import { defineCommand } from '../command.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { figureCell } from '../query/figure-cell.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';

const columns: readonly Column<Anomaly>[] = [
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
  { header: 'value', value: ({ measure, peak }) => figureCell(METRIC_MEASURES[measure].unit, peak) },
  { header: 'usual', value: ({ measure, usual }) => figureCell(METRIC_MEASURES[measure].unit, usual) },
];

export const anomaliesList = defineCommand({
  name: 'anomalies list',
  summary: 'List unusual hours of cost, calls, errors and latency by model, user and agent',
  options: {
    ...projectOption,
    ...windowOptions,
    sensitivity: {
      value: 'LEVEL',
      summary: 'How far from the usual: low, medium or high',
      type: z.enum(['low', 'medium', 'high']),
      default: 'medium',
    },
  },
  examples: ['spanledger anomalies list', 'spanledger anomalies list --start 14d --sensitivity high --json'],
  run: async (ctx) => {
    const { output, options } = ctx;
    const now = Date.now();
    const { sensitivity } = options;
    const bounds = toQuery(parseWindow(options, now));
    const reply = await readOfProject<AnomaliesReply>(ctx, options.project, {
      file: async (app, scope) => {
        const { listAnomalies } = await import('../../src/features/ai/index.ts');
        const ms = (text: string | undefined): number | undefined =>
          text === undefined ? undefined : Date.parse(text);
        return listAnomalies(app, scope, { start: ms(bounds.start), end: ms(bounds.end), sensitivity, now });
      },
      server: async (server, { id }) => {
        const { anomaliesEndpoint } = await import('../../src/features/ai/anomalies/contract.ts');
        return server.get(anomaliesEndpoint, { query: { projectId: id, ...bounds, sensitivity } });
      },
    });
    output.result(reply, () => {
      if (reply.anomalies.length > 0) output.table(columns, reply.anomalies);
      else output.info(reply.learning ? 'Too little history: two weeks are the least' : 'No unusual hours');
    });
  },
});
