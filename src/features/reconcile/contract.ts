import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Why an invoice and the books may differ. */
export const DRIFT_REASONS = [
  'missing_events',
  'duplicates',
  'more_events',
  'cache_layout',
  'unpriced_model',
  'price_date',
  'rates',
  'discount',
  'not_on_invoice',
  'tokens',
  'day_boundary',
] as const;
export type DriftReason = (typeof DRIFT_REASONS)[number];

/** Layouts of exports that are known by their headings. */
export const LAYOUTS = [
  'openai-usage',
  'openai-costs',
  'anthropic-usage',
  'anthropic-costs',
  'openrouter-activity',
  'google-billing',
  'aws-cur',
  'azure-costs',
  'generic',
] as const;
export type Layout = (typeof LAYOUTS)[number];

/**
 * Amounts of an export that are not compared: credits, refunds and discounts; taxes; corrections of earlier lines;
 * amounts in other currencies; tools such as web searches; other services of the same bill.
 */
export const APART_KINDS = ['credit', 'tax', 'restated', 'currency', 'tool', 'service'] as const;
export type ApartKind = (typeof APART_KINDS)[number];

/** Labels of the lines by which an export can be split. */
export const PART_KINDS = ['account', 'key', 'type'] as const;

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
  per: z.enum(['day', 'month']).describe('Length of a line: some exports bill whole months.'),
  by: z.enum(['model', 'provider']).describe('`provider`: the export names no models, so lines are totals.'),
  usdFrom: z.enum(['export', 'prices']).describe('Where the USD of the export come from.'),
  invoice: sideSchema.describe('Figures of the export.'),
  books: sideSchema
    .extend({ unpriced: z.number().describe('Calls without a known price; their cost is in no sum.') })
    .describe('Figures of the ledger.'),
  driftUsd: z
    .number()
    .nullable()
    .describe('Ledger less export, in USD, of the lines where both are known; null if there are none.'),
  reasons: z
    .array(
      z.object({
        code: z.enum(DRIFT_REASONS).describe('Code of the reason.'),
        lines: z.int().describe('Lines by day and model.'),
        driftUsd: z.number().describe('Ledger less export, in USD, of the lines with this reason first.'),
        text: z.string().describe('The reason in words, with the remedy.'),
      }),
    )
    .describe('Why they differ, as far as the figures show it.'),
  counts: z
    .object({
      lines: z.int().describe('Lines by day and model.'),
      differing: z.int().describe('Lines that differ.'),
      unexplained: z.int().describe('Lines that differ without a reason that follows from the figures.'),
    })
    .describe('Number of lines.'),
  lines: z
    .array(
      z.object({
        day: z.string().describe('Day in UTC, `YYYY-MM-DD`; the first of the month if `per` is `month`.'),
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().describe('Model, or `all models` if the export names none.'),
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
        driftUsd: z
          .number()
          .nullable()
          .describe('Ledger less export, in USD; null if one of them is unknown.'),
        differs: z.boolean().describe('Whether the two sides disagree, beyond rounding.'),
        driftTokens: z
          .number()
          .nullable()
          .describe('Ledger less export, in tokens; null if the export states none.'),
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
  apart: z
    .array(
      z.object({
        kind: z.enum(APART_KINDS).describe('Kind of amount.'),
        label: z.string().describe('What the export calls it.'),
        currency: z.string().describe('Currency, upper-case ISO 4217.'),
        amount: z.number().describe('Sum in that currency. No other figure includes it.'),
        rows: z.int().describe('Rows of the export.'),
      }),
    )
    .describe('Amounts that are not compared, largest first: at most 100.'),
  parts: z
    .array(
      z.object({
        by: z
          .enum(PART_KINDS)
          .describe(
            '`account`: workspace, project or subscription; `key`: API key; `type`: what was billed.',
          ),
        name: z.string().describe('Its name in the export.'),
        usd: z.number().nullable().describe('USD of its lines; null if the export states none.'),
        rows: z.int().describe('Rows of the export.'),
      }),
    )
    .describe('The compared lines of the export by account, API key and type: at most 50 of each.'),
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

const label = z.string().min(1).max(200).optional();
/** Limits a comparison to the lines of one account or key of the export. */
export const exportFilter = {
  account: label.describe('Only lines of this workspace, project or subscription, as the export names it.'),
  key: label.describe('Only lines of this API key, as the export names it.'),
};

/** The body of an export. */
export const EXPORT_BODY = {
  'text/csv': {
    schema: z.string().describe('The export: a line of headings, then a line for each day and model.'),
    example:
      'date,model,requests,input_tokens,output_tokens,cost_usd\n2026-01-31,gpt-4o,12,24000,6000,0.12\n',
  },
};
export const EXPORT_LIMITS = { maxCompressed: 10_000_000, maxRaw: 20_000_000, encodings: ['gzip'] } as const;

export const reconcileEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/reconcile',
  auth: 'project',
  scopes: ['read'],
  summary: "Compare a provider's usage or cost export with the ledger: drift by day and model, and why",
  description:
    'The body is a CSV export in UTF-8 of OpenAI, Anthropic, OpenRouter, Google Cloud billing, AWS (Cost and Usage Report) or Azure, or any CSV with the columns day, model and USD or tokens; at most 20 MB, 500,000 rows, 400 days, 20,000 models and 100,000 lines by day and model, gzip allowed. Nothing of it is stored; `POST /v1/reconciliations` keeps the result.',
  rawBody: EXPORT_BODY,
  bodyLimits: EXPORT_LIMITS,
  query: projectQuery.extend(exportFilter),
  reply: reconciliationSchema,
});
