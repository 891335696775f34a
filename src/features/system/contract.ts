import { z } from 'zod';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** What one check found. */
export const findingSchema = z.object({
  check: z.string().describe('Name of the check.'),
  level: z
    .enum(['ok', 'warn', 'bad'])
    .describe('`ok`: in order. `warn`: worth a look. `bad`: something does not work, or soon will not.'),
  text: z.string().describe('What was found.'),
  fix: z.string().nullable().describe('What to do; null if all is in order.'),
});
export type Finding = z.infer<typeof findingSchema>;

export const versionSchema = z.object({
  version: z.string().describe('Version of the product.'),
  commit: z.string().nullable().describe('Commit of the build; null from source.'),
  bun: z.string().describe('Version of Bun.'),
  sqlite: z.string().nullable().describe('Version of SQLite; null from source.'),
});

/** Reply of the action `system.examine`. */
export const examinedSchema = z.object({
  findings: z.array(findingSchema),
  versions: versionSchema,
});

const instant = (what: string) => z.iso.datetime().describe(`${what}, ISO 8601 UTC.`);
const count = (what: string) => z.number().describe(what);
const percentile = (what: string) =>
  z.number().nullable().describe(`${what}, in milliseconds since the start: at most this; null without any.`);

const jobSchema = z.object({
  name: z.string().describe('Name of the job.'),
  summary: z.string().describe('What it does.'),
  schedule: z.string().describe('When it runs, as cron writes it, in UTC.'),
  nextRun: instant('The next run'),
  lastRun: z
    .object({
      startedAt: instant('Its start'),
      status: z.enum(['running', 'ok', 'failed', 'interrupted']).describe('How it ended.'),
      ms: z.number().nullable().describe('How long it took, in milliseconds; null while it runs.'),
      error: z.string().nullable().describe('Why it failed; null if it did not.'),
    })
    .nullable()
    .describe('The last run; null if there was none.'),
});
export type SystemJob = z.infer<typeof jobSchema>;

export const systemReply = z.object({
  now: instant('Time of the figures'),
  startedAt: instant('Start of the server'),
  versions: versionSchema.describe('What runs.'),
  ingest: z
    .object({
      events: count('Events acknowledged since the start, duplicates included.'),
      duplicates: count('Of these, events that were stored before.'),
      batches: count('Batches stored since the start.'),
      waiting: count('Requests with events that are worked on or wait.'),
      unsealed: count('Stored events that are not in the totals yet.'),
      accepts: z.boolean().describe('Whether the store has room for more events.'),
    })
    .describe('Events as they arrive.'),
  writer: z
    .object({
      pending: count('Rows that wait for the writer.'),
      writes: count('Writes since the start.'),
      failed: count('Of these, writes that were refused or failed.'),
      p50: percentile('Half of the writes'),
      p99: percentile('99 % of the writes'),
    })
    .describe('The thread that writes.'),
  readers: z
    .object({
      processes: count('Reader processes.'),
      busy: count('Those with a query.'),
      waiting: count('Queries that wait for one.'),
      reads: count('Queries since the start.'),
      failed: count('Queries without an answer.'),
      p99: percentile('99 % of the queries with their wait'),
    })
    .nullable()
    .describe('The processes that read; null without a server.'),
  store: z
    .object({
      file: count('Bytes of the database file.'),
      log: count('Bytes of its write-ahead log.'),
      free: count('Free bytes of its disk.'),
      disk: count('Bytes of its disk.'),
      growth: z.number().nullable().describe('Bytes by which it grows in a day; null before it is known.'),
      fullInDays: z
        .number()
        .nullable()
        .describe('Days until the disk is full; null if that is not in sight.'),
      sizes: z
        .array(z.object({ at: instant('When it was measured'), bytes: count('File and log together.') }))
        .describe('Its size over the last days, oldest first.'),
    })
    .describe('The file.'),
  process: z
    .object({
      memory: count('Bytes of resident memory of the server process.'),
      descriptors: z.number().nullable().describe('Its open files and connections; null if unknown.'),
    })
    .describe('The server process.'),
  jobs: z.array(jobSchema).describe('Scheduled work by name.'),
});
export type System = z.infer<typeof systemReply>;

export const systemEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/system',
  auth: 'session',
  summary: 'Figures of the server, for operators',
  description:
    'The figures of `GET /metrics`, the size of the file with a forecast, and the jobs. Only people whom the setting `OPERATORS` names may ask; others get 403.',
  reply: systemReply,
});

export const checksEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/system/checks',
  auth: 'session',
  summary: 'What `spanledger doctor` finds on the running server, for operators',
  description:
    'Disk, clock, permissions, backups, jobs, channels and more, each with a fix. Only people whom the setting `OPERATORS` names may ask; others get 403.',
  reply: z.object({ findings: z.array(findingSchema).describe('One or more for each check.') }),
});

export const metricsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  auth: 'none',
  anyServer: true,
  limit: 'off',
  // Prometheus and others may add parameters of their own.
  ignoresUnknown: true,
  summary: 'Figures of the server in the text format of Prometheus',
  description:
    'Ingest, requests, writer, readers, store, jobs and deliveries. With the setting `METRICS_TOKEN` the request needs `Authorization: Bearer` with that token; without it only programs of the same machine may ask. Figures of projects are in no metric.',
});

export const dashboardEndpoint = defineEndpoint({
  method: 'GET',
  path: '/docs/grafana-dashboard.json',
  auth: 'none',
  summary: 'A Grafana dashboard of the metrics',
  reply: z.record(z.string(), z.unknown()),
  hidden: true,
});
