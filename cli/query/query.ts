import type { z } from 'zod';
import {
  BUCKET_NAMES,
  EVENT_MEASURES,
  METRIC_DIMENSIONS,
  type MetricsDocument,
  metricsDocumentSchema,
} from '../../src/core/events/query/contract.ts';
import { problemOf } from '../../src/http/problem-of.ts';
import { PRESETS } from '../../src/lib/ranges/presets.ts';
import { defineCommand } from '../command.ts';
import { filterOption } from '../events/filter.ts';
import { projectOption, readOfProject } from '../project.ts';
import { warnLeftOut } from '../report/pieces.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { printReply } from './print.ts';

const options = {
  ...projectOption,
  measure: {
    value: 'NAME',
    summary: `What to measure, up to 10 times; cost and requests by default: ${EVENT_MEASURES.join(', ')}`,
    short: 'm',
    repeat: true,
  },
  by: {
    value: 'NAME',
    summary: `Split by up to two of ${Object.keys(METRIC_DIMENSIONS).join(', ')} or tag:NAME`,
    repeat: true,
  },
  ...filterOption,
  range: { value: 'NAME', summary: `Window by name: ${Object.keys(PRESETS).join(', ')}` },
  ...windowOptions,
  bucket: { value: 'LENGTH', summary: `Also over time, in steps of auto, ${BUCKET_NAMES.join(', ')}` },
  zone: {
    value: 'NAME',
    summary: 'Time zone of days, weeks and ranges, such as Europe/Berlin; UTC by default',
  },
  order: { value: 'NAME', summary: 'Order by this measure, highest first; by the first measure by default' },
  ascending: { summary: 'Lowest first' },
  limit: { value: 'N', summary: 'Groups of their own, 1 to 500; 20 by default', short: 'n' },
  compare: { summary: 'Also show the previous period' },
  histogram: { value: 'TIME', summary: 'Also show how many calls took how long: latency or ttft' },
  matrix: { value: 'N', summary: 'With two --by: a table of the first 1 to 20 values of each' },
} as const;

export const query = defineCommand({
  name: 'query',
  summary: 'Query figures by any two dimensions and over time',
  options,
  examples: [
    'spanledger query --by model',
    "spanledger query -m cost -m latencyP95 --by release --filter 'env:production'",
    'spanledger query -m errorRate --bucket 1h --range 24h',
    'spanledger query -m cost --by tag:team --by model --compare --json',
    'spanledger query -m requests --bucket 1d --zone Europe/Berlin --range mtd',
    'spanledger query -m latencyP95 --histogram latency --range 24h',
    'spanledger query -m cost --by model --by userId --matrix 5',
    'spanledger query -m runCostAvg -m runCostP95 --by agent --by release',
  ],
  run: async (ctx) => {
    const { output, options: given } = ctx;
    const now = Date.now();
    const bounds = toQuery(parseWindow(given, now));
    const [order = 'cost'] = [given.order, given.measure?.[0]].filter((name) => name !== undefined);
    const document = {
      measures: (given.measure?.length ?? 0) > 0 ? given.measure : ['cost', 'requests'],
      groupBy: given.by ?? [],
      filter: given.filter ?? '',
      ...(given.range === undefined ? {} : { range: given.range }),
      ...(bounds.start === undefined ? {} : { start: bounds.start }),
      ...(bounds.end === undefined ? {} : { end: bounds.end }),
      ...(given.bucket === undefined ? {} : { bucket: given.bucket }),
      ...(given.zone === undefined ? {} : { timeZone: given.zone }),
      orderBy: { measure: order, direction: given.ascending ? 'asc' : 'desc' },
      ...(given.limit === undefined ? {} : { limit: Number(given.limit) }),
      ...(given.compare ? { compare: 'previous' } : {}),
      ...(given.histogram === undefined ? {} : { histogram: given.histogram }),
      ...(given.matrix === undefined ? {} : { matrix: Number(given.matrix) }),
    };
    const parsed = metricsDocumentSchema.safeParse(document);
    if (!parsed.success) throw refusal(parsed.error.issues[0]);
    const reply = await readOfProject(ctx, given.project, {
      file: async (app, scope) => {
        const { runDocument } = await import('../../src/core/scores/index.ts');
        return runDocument(app, scope, parsed.data, now);
      },
      server: async (server, { id }) => {
        const { metricsQueryEndpoint } = await import('../../src/features/metrics/contract.ts');
        return server.post(metricsQueryEndpoint, {
          query: { projectId: id },
          body: document as MetricsDocument,
        });
      },
    });
    warnLeftOut(output, reply);
    if (reply.recordedSince !== undefined)
      output.warn(
        `The first calls are of ${reply.recordedSince.slice(0, 10)} (UTC): the time before is recorded in part`,
      );
    output.result(reply, () => printReply(output, reply));
  },
});

/** Options by the fields of a document that they set. */
const FLAGS: Readonly<Record<string, string>> = {
  measures: '--measure',
  groupBy: '--by',
  timeZone: '--zone',
  orderBy: '--order',
};

function refusal(issue: z.core.$ZodIssue | undefined): Error {
  const [field = 'measures'] = issue?.path ?? [];
  const flag = FLAGS[String(field)] ?? `--${String(field)}`;
  return usageError(
    `${flag}: ${issue === undefined ? 'is wrong' : problemOf(issue)}`,
    'spanledger query --help lists what it takes',
  );
}
