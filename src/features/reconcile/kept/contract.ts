import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../../core/tenancy/contract.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';
import { EXPORT_BODY, EXPORT_LIMITS, exportFilter, LAYOUTS, reconciliationSchema } from '../contract.ts';

/** Comparisons that a project keeps at most. */
export const MAX_KEPT = 200;
/** Lines that are kept of each, the largest differences first. */
export const MAX_KEPT_LINES = 1_000;

export const monthSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10')
  .describe('Month, `YYYY-MM`.');
export const noteSchema = z.string().trim().max(2_000).describe('Note, up to 2,000 characters.');
export const nameSchema = lineOfText(200).describe('Name, such as that of the file.');

const usd = (what: string) => z.number().nullable().describe(`${what}, in USD; null if unknown.`);

export const keptSchema = z
  .object({
    id: z.string().describe('Id of the comparison.'),
    month: z.string().describe('Month of the first day, `YYYY-MM`.'),
    name: z.string().describe('Name, such as that of the file.'),
    note: z.string().describe('Note; empty if there is none.'),
    layout: z.enum(LAYOUTS).describe('Layout of the export.'),
    from: z.string().describe('First day of the export.'),
    to: z.string().describe('Last day of the export.'),
    invoiceUsd: usd('Sum of the export'),
    booksUsd: usd('Sum of the ledger at that time'),
    driftUsd: usd('Ledger less export'),
    lines: z.int().describe('Number of lines.'),
    differing: z.int().describe('Lines that differ.'),
    createdAt: z.string().describe('When it was kept, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When its note was changed, ISO 8601 UTC.'),
  })
  .meta({ id: 'KeptReconciliation' });
export type Kept = z.infer<typeof keptSchema>;

export const keptResultSchema = keptSchema.extend({
  result: reconciliationSchema.describe('The comparison, with the 1,000 lines that differ most.'),
});
export type KeptResult = z.infer<typeof keptResultSchema>;

const params = z.object({ id: z.string().max(100).describe('Id of the comparison.') });

export const listKeptEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/reconciliations',
  auth: 'project',
  summary: 'List kept comparisons with invoices, newest month first',
  query: projectQuery.extend({ month: monthSchema.optional() }),
  reply: z.object({ reconciliations: z.array(keptSchema).describe('Kept comparisons, newest month first.') }),
});

export const getKeptEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/reconciliations/:id',
  auth: 'project',
  summary: 'A kept comparison with its lines',
  query: projectQuery,
  params,
  reply: keptResultSchema,
});

export const keepEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/reconciliations',
  auth: 'project',
  role: 'member',
  summary: "Compare a provider's export with the ledger and keep the result, with a note",
  description:
    'Like `POST /v1/reconcile`. The sums, the reasons and the 1,000 lines that differ most are kept; the export is not. A project keeps at most 200 comparisons.',
  rawBody: EXPORT_BODY,
  bodyLimits: EXPORT_LIMITS,
  query: projectQuery.extend({
    name: nameSchema.meta({ example: 'Invoice of November' }),
    note: noteSchema.default(''),
    ...exportFilter,
  }),
  reply: keptResultSchema,
  status: 201,
});

export const noteEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/reconciliations/:id',
  auth: 'project',
  role: 'member',
  summary: 'Change the note of a kept comparison',
  query: projectQuery,
  params,
  body: z.strictObject({ note: noteSchema }),
  example: { note: 'The invoice has the batch discount; agreed with finance.' },
  reply: keptSchema,
});

export const deleteKeptEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/reconciliations/:id',
  auth: 'project',
  role: 'admin',
  summary: 'Delete a kept comparison',
  query: projectQuery,
  params,
  status: 204,
});
