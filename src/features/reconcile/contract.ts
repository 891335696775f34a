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
  calls: z.number().nullable(),
  inputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  usd: z.number().nullable(),
});

export const reconciliationSchema = z.object({
  layout: z.enum(LAYOUTS),
  /** First and last UTC day of the export. */
  from: z.string(),
  to: z.string(),
  /** Whether the export states money, or its tokens were priced by the prices in force here. */
  usdFrom: z.enum(['export', 'prices']),
  invoice: sideSchema,
  /** `unpriced`: calls without a known price, which are in no amount. */
  books: sideSchema.extend({ unpriced: z.number() }),
  /** Books less invoice. */
  driftUsd: z.number(),
  /** What explains it, the most money first. */
  reasons: z.array(
    z.object({ code: z.enum(DRIFT_REASONS), lines: z.int(), driftUsd: z.number(), text: z.string() }),
  ),
  /** How many days and models there are, and how many of them differ. */
  counts: z.object({ lines: z.int(), differing: z.int() }),
  /** Days and models, those that differ first; the first 5,000. */
  lines: z.array(
    z.object({
      day: z.string(),
      provider: z.string().nullable(),
      model: z.string(),
      /** The one name that the events of the line have in the books; null for none, or more than one. */
      stored: z.object({ provider: z.string().nullable(), model: z.string() }).nullable(),
      invoice: sideSchema.nullable(),
      books: sideSchema.extend({ unpriced: z.number() }).nullable(),
      driftUsd: z.number(),
      driftTokens: z.number(),
      reasons: z.array(z.object({ code: z.enum(DRIFT_REASONS), text: z.string() })),
    }),
  ),
  /** Rows that could not be read, the first of them. */
  ignored: z.array(z.object({ row: z.int(), why: z.string() })),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

export const reconcileEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/reconcile',
  auth: 'project',
  summary: "A provider's usage export (CSV in the body) beside the books: drift by day and model, and why",
  query: projectQuery,
  reply: reconciliationSchema,
});
