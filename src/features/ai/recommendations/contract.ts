import { z } from 'zod';
import { deletedBeforeField, deletedShape } from '../../../core/events/query/contract.ts';
import { defineEndpoint, projectQuery } from '../../../core/tenancy/contract.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';

/** What can be saved. */
export const RECOMMENDATION_KINDS = [
  'failed-calls',
  'unused-output',
  'repeated-prompts',
  'context-tier',
  'cache-gap',
  'batch',
  'cheaper-model',
] as const;
export type RecommendationKind = (typeof RECOMMENDATION_KINDS)[number];

/** What a recommendation became: the change itself, or something that watches it. */
export const APPLIED_AS = ['change', 'alert', 'budget'] as const;
/** Characters of the reason of a dismissal. */
export const MAX_REASON = 500;

const querySchema = z.object({
  measures: z.array(z.string()).describe('What is measured.'),
  filter: z.string().describe('The calls, in the filter language.'),
  start: z.string().describe('Start, ISO 8601 UTC, inclusive.'),
  end: z.string().describe('End, ISO 8601 UTC, inclusive.'),
});

const documentSchema = z.object({
  as: z.enum(['alert', 'budget']).describe('What it makes.'),
  path: z.string().describe('The endpoint that makes it with `POST`.'),
  body: z.record(z.string(), z.unknown()).describe('The body, exactly as it would be sent.'),
});

const savedSchema = z
  .object({
    query: querySchema.describe('The query after it was applied; the same calls as before.'),
    days: z.number().describe('Days since it was applied, at most 30.'),
    beforeUsdPerDay: z.number().describe('Cost of these calls per day in the 30 days before, in USD.'),
    afterUsdPerDay: z.number().describe('Cost of these calls per day since then, in USD.'),
    beforeCallsPerDay: z.number().describe('Calls per day in the 30 days before.'),
    afterCallsPerDay: z.number().describe('Calls per day since then.'),
    savedUsd: z
      .number()
      .nullable()
      .describe(
        'What was saved since then, in USD; negative if more was spent. Null in the first day, and if calls that it needs have been deleted.',
      ),
    ...deletedShape,
  })
  .describe('The same query before and after. More or less traffic is part of the difference.');

const stateSchema = z.enum(['open', 'dismissed', 'applied']);

const recommendationSchema = z
  .object({
    id: z.string().describe('What it is about; the same while that is so.'),
    kind: z
      .enum(RECOMMENDATION_KINDS)
      .describe(
        '`failed-calls`: calls that were paid and failed. `unused-output`: output of calls that were cancelled. `repeated-prompts`: the same prompt to the same model again. `context-tier`: the higher price of long inputs. `cache-gap`: input that a prompt cache serves for other agents or prompts of the same model. `batch`: calls that nobody seems to wait for, at the price of batches. `cheaper-model`: a smaller model of the same family.',
      ),
    title: z.string().describe('What to do, in a line.'),
    basis: z.string().describe('How the amount was computed, in a sentence.'),
    provider: z.string().nullable().describe('Provider of the calls.'),
    model: z.string().describe('Model of the calls.'),
    to: z.string().nullable().describe('Model to use instead; null if none is.'),
    monthlyUsd: z.number().describe('What would have been saved in the last 30 days, in USD.'),
    range: z
      .object({
        lowUsd: z.number().describe('Low end, in USD.'),
        highUsd: z.number().describe('High end, in USD.'),
      })
      .describe('95 % interval of `monthlyUsd` by how much the days differ.'),
    confidence: z
      .enum(['high', 'medium', 'low'])
      .describe(
        '`high`: the amount was paid for nothing. `medium`: the amount is exact, if the calls allow it. `low`: test first whether the result is good enough.',
      ),
    evidence: z
      .object({
        calls: z.number().describe('Calls of `query`.'),
        costUsd: z.number().describe('What they cost, in USD.'),
        outputTokensAvg: z.number().describe('Mean output tokens of a call.'),
      })
      .describe('The figures behind it: what `query` returns.'),
    query: querySchema.describe('The query behind it: a body of `POST /v1/metrics/query`.'),
    tracked: z
      .string()
      .describe('The calls whose cost is compared before and after it is applied, in the filter language.'),
    documents: z
      .array(documentSchema)
      .describe(
        'What it can become. Send the body with the header `Spanledger-Origin: copilot`, so that the audit log has it as an action of the copilot too.',
      ),
    state: stateSchema.describe('Whether somebody dismissed or applied it.'),
    decision: z
      .object({
        at: z.string().describe('When, ISO 8601 UTC.'),
        by: z
          .string()
          .nullable()
          .describe('Who, by e-mail address; null if the account is gone, or on the command line.'),
        reason: z.string().nullable().describe('Why it was dismissed; null without a reason.'),
        as: z.enum(APPLIED_AS).nullable().describe('What it became; null if it was dismissed.'),
        monthlyUsd: z.number().describe('The amount at that time, in USD.'),
      })
      .nullable()
      .describe('Who decided; null while it is open.'),
    saved: savedSchema.nullable().describe('What was really saved; null unless it was applied.'),
  })
  .meta({ id: 'Recommendation' });
export type Recommendation = z.infer<typeof recommendationSchema>;

export const recommendationsReplySchema = z.object({
  recommendations: z
    .array(recommendationSchema)
    .describe('Open ones first, the largest amount first; at most 50 open ones.'),
  skipped: z
    .array(z.enum(RECOMMENDATION_KINDS))
    .describe('Kinds that would have needed too many calls to be read.'),
  callsRead: z
    .object({
      promptHash: z.int().describe('Newest calls with `prompt_hash` among those that were compared.'),
    })
    .describe('What the kinds that read single calls could see.'),
  deletedBefore: deletedBeforeField,
});
export type RecommendationsReply = z.infer<typeof recommendationsReplySchema>;

export const recommendationsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/ai/recommendations',
  auth: 'project',
  limit: 'ai',
  scopes: ['read', 'ai:use'],
  summary: 'List what would have saved money in the last 30 days',
  description:
    'Computed from the recorded calls and today’s prices, without a model. One is listed if it would have saved at least 1 USD and 1 % of all cost. Amounts of different kinds overlap and do not add up. Applied ones say what was really saved. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  reply: recommendationsReplySchema,
});

const params = z.object({ id: z.string().min(1).max(2_000).describe('Id of the recommendation.') });
export const decisionReply = z.object({
  id: z.string().describe('Id of the recommendation.'),
  state: stateSchema.describe('Its state now.'),
});

export const dismissRecommendationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ai/recommendations/:id/dismiss',
  auth: 'project',
  role: 'member',
  limit: 'ai',
  summary: 'Dismiss a recommendation, with the reason',
  description:
    'It is listed as dismissed from then on. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  params,
  body: z.strictObject({
    reason: lineOfText(MAX_REASON).describe('Why, 1 to 500 characters: “needs the larger model”.'),
  }),
  example: { reason: 'Answers of the smaller model were not good enough' },
  reply: decisionReply,
});

export const applyRecommendationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ai/recommendations/:id/apply',
  auth: 'project',
  role: 'member',
  limit: 'ai',
  summary: 'Note that a recommendation was applied, and measure from now what it saves',
  description:
    'From then on `saved` compares the cost of its calls with that of the 30 days before. It changes nothing else: an alert or a budget is made by sending one of `documents`. Counts against the limit of 20 requests per hour and organization.',
  query: projectQuery,
  params,
  body: z.strictObject({
    as: z
      .enum(APPLIED_AS)
      .default('change')
      .describe(
        '`change`: the application was changed. `alert`, `budget`: one was made of it. Default: `change`.',
      ),
  }),
  example: { as: 'change' },
  reply: decisionReply,
});

export const reopenRecommendationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ai/recommendations/:id/reopen',
  auth: 'project',
  role: 'member',
  limit: 'ai',
  summary: 'Forget that a recommendation was dismissed or applied',
  query: projectQuery,
  params,
  reply: decisionReply,
});
