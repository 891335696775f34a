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

export const metricsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  auth: 'none',
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
