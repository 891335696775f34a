import { z } from 'zod';
import { defineEndpoint, organizationQuery } from '../../../core/tenancy/contract.ts';
import { APART_KINDS, DRIFT_REASONS } from '../contract.ts';

/** Providers whose own figures can be fetched. */
export const PROVIDERS = ['anthropic', 'openai', 'openrouter'] as const;
export type ConnectorProvider = (typeof PROVIDERS)[number];

/** Days that one question about drift covers at most. */
export const MAX_DRIFT_DAYS = 92;
/** Lines that are sent at most, the largest differences first. */
export const MAX_DRIFT_LINES = 2_000;
/** Threshold of an organization that has set none. */
export const DEFAULT_THRESHOLD = { percent: 5, usd: 1 } as const;

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-10-31')
  .refine((text) => !Number.isNaN(Date.parse(text)), 'is no day');
const usd = (what: string) => z.number().nullable().describe(`${what}, in USD; null if unknown.`);
const instant = (what: string) => z.string().nullable().describe(`${what}, ISO 8601 UTC; null if never.`);

export const connectorSchema = z
  .object({
    id: z.string().describe('Id that the operator gave it.'),
    provider: z.enum(PROVIDERS).describe('Provider.'),
    projects: z.array(z.string()).describe('Projects whose calls it is compared with; empty for all.'),
    accounts: z
      .array(z.string())
      .describe('Workspaces or projects of the provider whose figures count; empty for all.'),
    attemptedAt: instant('Last attempt to fetch'),
    succeededAt: instant('Last successful fetch'),
    error: z.string().nullable().describe('Why the last attempt failed; null if it did not.'),
    from: z.string().nullable().describe('First day that the last fetch covered.'),
    to: z.string().nullable().describe('Last day that it covered.'),
    figures: z.int().describe('Figures that it found.'),
    restated: z.int().describe('Figures of settled days that the provider had changed since.'),
  })
  .meta({ id: 'Connector' });
export type Connector = z.infer<typeof connectorSchema>;

export const thresholdSchema = z.strictObject({
  percent: z.number().min(0.1).max(100).describe('Difference in per cent of the larger amount.'),
  usd: z.number().min(0.01).max(1_000_000).describe('Difference in USD.'),
});
export type Threshold = z.infer<typeof thresholdSchema>;

const driftSides = {
  providerUsd: usd('What the provider says that it billed'),
  ledgerUsd: usd('What the ledger has'),
  driftUsd: usd('Ledger less provider'),
  driftPercent: z
    .number()
    .nullable()
    .describe('Difference in per cent of the larger amount; null if unknown.'),
};

const driftLineSchema = z.object({
  connector: z.string().describe('Id of the connector.'),
  day: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
  provider: z.string().nullable().describe('Provider, such as `openai`.'),
  model: z.string().describe('Model.'),
  ...driftSides,
  providerCalls: z.number().nullable().describe('Calls that the provider counted; null if it does not say.'),
  ledgerCalls: z.number().describe('Calls in the ledger.'),
  restatedFromUsd: usd(
    'What the provider said before it changed this settled day; null if it did not change',
  ),
  restatedAt: instant('When the change was noticed'),
  over: z.boolean().describe('Whether the difference reaches both thresholds and the day is settled.'),
  reasons: z
    .array(
      z.object({
        code: z.enum(DRIFT_REASONS).describe('Code of the reason.'),
        text: z.string().describe('The reason in words.'),
      }),
    )
    .describe('Why they differ, as far as the figures show it.'),
});
export type DriftLine = z.infer<typeof driftLineSchema>;

const warningSchema = z.object({
  id: z.string().describe('Id of the warning.'),
  connector: z.string().describe('Id of the connector.'),
  day: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
  model: z.string().describe('Model.'),
  providerUsd: z.number().describe('What the provider said then, in USD.'),
  ledgerUsd: z.number().describe('What the ledger had then, in USD.'),
  warnedAt: z.string().describe('When the threshold was reached, ISO 8601 UTC.'),
  clearedAt: instant('When the difference was below it again'),
});
export type DriftWarning = z.infer<typeof warningSchema>;

export const driftSchema = z.object({
  from: z.string().describe('First day.'),
  to: z.string().describe('Last day.'),
  threshold: thresholdSchema.describe(
    'A settled day and model whose difference reaches both gives a warning.',
  ),
  connectors: z.array(connectorSchema).describe('Connectors of the organization and how they are.'),
  total: z.object(driftSides).describe('Sums of all lines where both are known.'),
  counts: z
    .object({
      lines: z.int().describe('Days and models.'),
      differing: z.int().describe('Of them differ.'),
      over: z.int().describe('Of them reach the threshold.'),
      restated: z.int().describe('Of them the provider changed after they were settled.'),
    })
    .describe('Number of lines.'),
  days: z
    .array(z.object({ day: z.string().describe('Day in UTC, `YYYY-MM-DD`.'), ...driftSides }))
    .describe('Sums by day, oldest first.'),
  lines: z.array(driftLineSchema).describe('Days and models, the largest difference first: at most 2,000.'),
  apart: z
    .array(
      z.object({
        connector: z.string().describe('Id of the connector.'),
        kind: z.enum(APART_KINDS).describe('Kind of amount.'),
        label: z.string().describe('What the provider calls it.'),
        currency: z.string().describe('Currency, upper-case ISO 4217.'),
        amount: z.number().describe('Sum in that currency. No other figure includes it.'),
      }),
    )
    .describe('Amounts of the provider that are not compared, largest first: at most 100.'),
  warnings: z.array(warningSchema).describe('Warnings, newest first: at most 200.'),
});
export type Drift = z.infer<typeof driftSchema>;

export const listConnectorsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/connectors',
  auth: 'organization',
  summary: "List connectors to the providers' own figures, with their last fetch and error",
  query: organizationQuery,
  reply: z.object({
    connectors: z.array(connectorSchema).describe('Connectors of the organization, by id.'),
  }),
});

export const driftEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/drift',
  auth: 'organization',
  summary: "Compare the providers' own figures with the ledger by day and model",
  description:
    'Needs a connector, which the operator configures. Days are complete UTC days; a day is settled two days after its end, because providers report late.',
  query: organizationQuery.extend({
    from: day.optional().describe('First day, `YYYY-MM-DD`; 30 days before `to` by default.'),
    to: day.optional().describe('Last day, `YYYY-MM-DD`; yesterday by default. At most 92 days.'),
    connector: z.string().max(40).optional().describe('Only this connector.'),
  }),
  reply: driftSchema,
});

export const setThresholdEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/drift/threshold',
  auth: 'organization',
  role: 'admin',
  summary: 'Set how large the difference of a day and model must be for a warning',
  query: organizationQuery,
  body: thresholdSchema,
  example: { percent: 2, usd: 5 },
  reply: thresholdSchema,
});
