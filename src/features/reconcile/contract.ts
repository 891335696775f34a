import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Why an invoice and the books may differ. */
export const DRIFT_REASONS = [
  'missing_events',
  'duplicates',
  'cache_layout',
  'unpriced_model',
  'price_date',
  'rates',
  'not_on_invoice',
  'tokens',
] as const;
export type DriftReason = (typeof DRIFT_REASONS)[number];

/** Layouts of exports that are known by their headings. */
export const LAYOUTS = [
  'openai-usage',
  'openai-costs',
  'anthropic-usage',
  'anthropic-costs',
  'openrouter-activity',
  'generic',
] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What one side says of a day and model; null where it does not say. Input counts cached tokens too. */
const sideSchema = z.object({
  calls: z.number().nullable().describe('Number of calls.'),
  inputTokens: z.number().nullable().describe('Input tokens, cached ones included.'),
  cachedTokens: z.number().nullable().describe('Input tokens read from a prompt cache.'),
  outputTokens: z.number().nullable().describe('Output tokens, reasoning included.'),
  usd: z.number().nullable().describe('Cost in USD; null if unknown.'),
});

export const reconciliationSchema = z.object({
  layout: z.enum(LAYOUTS).describe('Layout of the export that was recognised.'),
  from: z.string().describe('First day of the export.'),
  to: z.string().describe('Last day of the export.'),
  usdFrom: z.enum(['export', 'prices']).describe('Where the USD of the export come from.'),
  invoice: sideSchema.describe('Figures of the export.'),
  books: sideSchema
    .extend({ unpriced: z.number().describe('Calls without a known price; their cost is in no sum.') })
    .describe('Figures of the ledger.'),
  driftUsd: z.number().describe('Ledger less export, in USD; null if one of them is unknown.'),
  reasons: z
    .array(
      z.object({
        code: z.enum(DRIFT_REASONS).describe('Code of the reason.'),
        lines: z.int().describe('Lines by day and model.'),
        driftUsd: z.number().describe('Ledger less export, in USD; null if one of them is unknown.'),
        text: z.string().describe('The reason in words.'),
      }),
    )
    .describe('Why they differ.'),
  counts: z
    .object({
      lines: z.int().describe('Lines by day and model.'),
      differing: z.int().describe('Lines that differ.'),
    })
    .describe('Number of lines.'),
  lines: z
    .array(
      z.object({
        day: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().describe('Model name as it was sent.'),
        stored: z
          .object({
            provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
            model: z.string().describe('Model name as it was sent.'),
          })
          .nullable()
          .describe('Whether the ledger has the calls of this line.'),
        invoice: sideSchema.nullable().describe('Figures of the export.'),
        books: sideSchema
          .extend({ unpriced: z.number().describe('Calls without a known price; their cost is in no sum.') })
          .nullable()
          .describe('Figures of the ledger.'),
        driftUsd: z.number().describe('Ledger less export, in USD; null if one of them is unknown.'),
        driftTokens: z.number().describe('Ledger less export, in tokens.'),
        reasons: z
          .array(
            z.object({
              code: z.enum(DRIFT_REASONS).describe('Code of the reason.'),
              text: z.string().describe('The reason in words.'),
            }),
          )
          .describe('Why they differ.'),
      }),
    )
    .describe('Lines by day and model.'),
  ignored: z
    .array(
      z.object({
        row: z.int().describe('Number of the row.'),
        why: z.string().describe('Why it was not read.'),
      }),
    )
    .describe('Rows of the export that were not read.'),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

export const reconcileEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/reconcile',
  auth: 'project',
  scopes: ['read'],
  summary: "Compare a provider's usage export with the ledger: drift by day and model, and why",
  description:
    'The body is the CSV export of OpenAI, Anthropic or OpenRouter, or any CSV with the columns day, model and USD or tokens, in UTF-8; at most 20 MB, gzip allowed. Nothing of it is stored.',
  rawBody: {
    'text/csv': {
      schema: z.string().describe('The export: a line of headings, then a line for each day and model.'),
      example:
        'date,model,requests,input_tokens,output_tokens,cost_usd\n2026-01-31,gpt-4o,12,24000,6000,0.12\n',
    },
  },
  bodyLimits: { maxCompressed: 10_000_000, maxRaw: 20_000_000, encodings: ['gzip'] },
  query: projectQuery,
  reply: reconciliationSchema,
});
