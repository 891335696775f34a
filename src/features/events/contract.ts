import { z } from 'zod';
import { exportQuerySchema } from '../../core/events/contract.ts';
import { eventOrderSchema } from '../../core/events/order/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** Most events of an export in another order than by time. */
export const MAX_SORTED_EXPORT = 100_000;

const exportOrderSchema = eventOrderSchema.extend({
  sort: eventOrderSchema.shape.sort.describe(
    `Order of the file. In another order than by \`time\` it has at most ${MAX_SORTED_EXPORT.toLocaleString('en-US')} events; more answer 400. Default: \`time\`.`,
  ),
  fields: z
    .string()
    .regex(/^[a-z_]{1,40}(,[a-z_]{1,40}){0,49}$/, 'must be names of fields like timestamp,model,cost_usd')
    .optional()
    .describe('CSV only: the fields to write, in this order, separated by commas. Default: all.'),
});

export const exportEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/export',
  auth: 'project',
  summary: 'All events that match, as CSV, NDJSON or Parquet',
  description:
    'Events come newest first unless `sort` or `order` says otherwise. NDJSON and Parquet have all fields, CSV leaves out prompts and the usage object. In ' +
    'Parquet, token counts are INT64, latency and cost DOUBLE, `timestamp` is TIMESTAMP in UTC milliseconds, and ' +
    '`tags`, `metadata`, `usage`, `input` and `output` are JSON texts; pages are compressed with ZSTD.',
  query: z.intersection(exportQuerySchema, exportOrderSchema),
});
