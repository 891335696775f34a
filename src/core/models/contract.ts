import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** Dialects in which the server can call a model. */
export const MODEL_PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Output tokens of a call that states no limit. Each call has one, so that its cost has a bound. */
export const DEFAULT_OUTPUT_TOKENS = 2_048;
export const MAX_OUTPUT_TOKENS = 200_000;

/** `<name>/<model>`, as `GET /v1/models` lists them. */
export const modelIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}\/\S{1,200}$/, 'must be a name of GET /v1/models, such as openai/gpt-4o');

const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes and underscores');

/** A JSON Schema. Its root is an object, as providers require. */
const jsonSchema = z.record(z.string(), z.unknown());

const toolSchema = z.strictObject({
  name: toolName.describe('Name of the tool, 1 to 64 letters, digits, dashes and underscores.'),
  description: z.string().max(10_000).optional().describe('What the tool does, for the model.'),
  parameters: jsonSchema.describe('JSON Schema of the arguments.'),
});

const toolCallSchema = z.strictObject({
  id: z.string().min(1).max(200).describe('Id, which the result repeats.'),
  name: toolName.describe('Name of the tool.'),
  arguments: z.unknown().describe('Arguments, as JSON.'),
});
export type ModelToolCall = z.infer<typeof toolCallSchema>;

/** Images of a message, and the characters of all together as data URLs: 2 MB of pictures. */
const MAX_IMAGES = 8;
const MAX_IMAGE_TEXT = 2_800_000;

const imageSchema = z
  .string()
  .max(MAX_IMAGE_TEXT)
  .regex(
    /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/,
    'must be a data URL of a PNG, JPEG, WebP or GIF image, such as data:image/png;base64,…',
  );

/** A message of a conversation, in one form for all providers. */
export const chatMessageSchema = z
  .strictObject({
    role: z
      .enum(['system', 'user', 'assistant', 'tool'])
      .describe('Who says it. `tool`: the result of a tool.'),
    content: z.string().max(1_000_000).describe('Text; of a tool, its result.'),
    images: z
      .array(imageSchema)
      .max(MAX_IMAGES)
      .refine(
        (all) => all.reduce((sum, { length }) => sum + length, 0) <= MAX_IMAGE_TEXT,
        'must not have more than 2 MB together',
      )
      .optional()
      .describe('Images as data URLs; only for `user`. They are sent to the provider and not stored.'),
    toolCalls: z
      .array(toolCallSchema)
      .max(100)
      .optional()
      .describe('Tools that the assistant called; only for `assistant`.'),
    toolCallId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Call that the result belongs to; required for `tool`.'),
  })
  .meta({ id: 'ChatMessage' });
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** How a model is called. All fields are optional: the model's own defaults apply. */
export const modelConfigSchema = z
  .strictObject({
    model: modelIdSchema.optional().describe('Model as `<name>/<model>`; `GET /v1/models` lists them.'),
    temperature: z.number().min(0).max(2).optional().describe('Randomness, 0 to 2.'),
    topP: z.number().gt(0).max(1).optional().describe('Nucleus sampling, above 0 to 1.'),
    maxOutputTokens: z
      .int()
      .min(1)
      .max(MAX_OUTPUT_TOKENS)
      .optional()
      .describe(`Most output tokens, reasoning included. Default: ${DEFAULT_OUTPUT_TOKENS}.`),
    stop: z.array(z.string().min(1).max(200)).max(8).optional().describe('Texts that end the output.'),
    seed: z.int().min(0).max(2_147_483_647).optional().describe('Seed, where the model supports one.'),
    reasoning: z
      .enum(['none', 'minimal', 'low', 'medium', 'high'])
      .optional()
      .describe('How much the model reasons, where it supports that.'),
    tools: z.array(toolSchema).max(64).optional().describe('Tools that the model may call.'),
    toolChoice: z
      .union([
        z.enum(['auto', 'none', 'required']),
        z.strictObject({ tool: toolName.describe('Name of the tool to call.') }),
      ])
      .optional()
      .describe('Whether the model must call a tool, or which one. Default: `auto`.'),
    responseFormat: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('text').describe('Text.') }),
        z.strictObject({
          type: z.literal('json').describe('JSON.'),
          schema: jsonSchema.optional().describe('JSON Schema of the output.'),
          name: toolName.optional().describe('Name of the output, for the provider.'),
        }),
      ])
      .optional()
      .describe('Form of the output. Default: text.'),
  })
  .meta({ id: 'ModelConfig' });
export type ModelConfig = z.infer<typeof modelConfigSchema>;

const usdOrNull = (what: string) => z.number().nullable().describe(`${what}, in USD; null if unknown.`);

/** What a call is expected to cost. */
export const expectedCostSchema = z.object({
  inputTokens: z.int().describe('Estimate: four characters per token.'),
  outputTokens: z.int().describe('Estimate.'),
  basis: z
    .enum(['history', 'assumed'])
    .describe('`history`: the mean output of earlier calls of this kind; `assumed`: there were none.'),
  costUsd: usdOrNull('Cost of that many tokens'),
  maxCostUsd: usdOrNull('Most that the call can cost, which the monthly cap reserves'),
});
export type ExpectedCost = z.infer<typeof expectedCostSchema>;

/** How a call of the server ended. */
export const callEndSchema = z.object({
  eventId: z.string().describe('Id of its event.'),
  traceId: z.string().describe('Trace of its event.'),
  timestamp: z.string().describe('Start of the call, ISO 8601 UTC.'),
  model: z.string().describe('Model as `<name>/<model>`.'),
  status: z
    .enum(['success', 'error', 'timeout', 'rate_limited', 'cancelled'])
    .describe('Outcome, as of the event.'),
  errorCode: z.string().nullable().describe('Code of the failure; null without one.'),
  error: z.string().nullable().describe('What failed, and how to fix it; null if nothing did.'),
  outputProblem: z
    .string()
    .nullable()
    .describe('How the output differs from `responseFormat`; null if it does not, or none was asked for.'),
  finishReason: z.string().nullable().describe('Why the model stopped, as the provider said it.'),
  inputTokens: z.int().describe('Input tokens as the ledger has them.'),
  outputTokens: z.int().describe('Output tokens as the ledger has them.'),
  cachedInputTokens: z.int().describe('Input tokens from a prompt cache.'),
  reasoningTokens: z.int().describe('Reasoning tokens.'),
  costUsd: usdOrNull('Cost as the ledger has it'),
  costStatus: z.string().nullable().describe('`priced`, `estimated` or `unpriced`, as of the event.'),
  latencyMs: z.number().describe('Duration in milliseconds.'),
  ttftMs: z.number().nullable().describe('Time to the first token in milliseconds; null without one.'),
  attempts: z.int().describe('Requests that were sent: 1 and the retries.'),
});
export type CallEnd = z.infer<typeof callEndSchema>;

/** What a running call tells, in this order: `started`, any of the others, `finished`. */
export const callPartSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    eventId: z.string(),
    traceId: z.string(),
    model: z.string(),
    expected: expectedCostSchema,
  }),
  z.object({ type: z.literal('retrying'), attempt: z.int(), afterMs: z.int(), error: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('toolCall'), id: z.string(), name: z.string(), arguments: z.unknown() }),
  z.object({ type: z.literal('warning'), message: z.string() }),
  z.object({ type: z.literal('finished'), call: callEndSchema }),
  // Instead of `finished`: the store did not take the event in time.
  z.object({ type: z.literal('lost'), error: z.string() }),
]);
export type CallPart = z.infer<typeof callPartSchema>;

/** Reply of `GET /v1/models`. */
export const modelsReplySchema = z.object({
  models: z
    .array(
      z.object({
        id: z.string().describe('`<name>/<model>`, for requests.'),
        name: z.string().describe('Name that the operator gave the provider.'),
        provider: z.enum(MODEL_PROVIDERS).describe('Dialect.'),
        model: z.string().describe('Model, as the provider names it.'),
        priced: z
          .boolean()
          .describe('Whether its price is known. With a monthly cap, others cannot be called.'),
        inputUsdPerMillion: usdOrNull('Price of a million input tokens'),
        outputUsdPerMillion: usdOrNull('Price of a million output tokens'),
      }),
    )
    .describe('Models that the server may call; empty if none is configured.'),
  month: z
    .object({
      capUsd: z.number().nullable().describe('Monthly cap of the organization, in USD; null without one.'),
      spentUsd: z.number().describe('What they cost so far, in USD.'),
      reservedUsd: z.number().describe('Most that running calls can cost, in USD.'),
      endsAt: z.string().describe('When the month ends, ISO 8601 UTC.'),
    })
    .describe("What the server's own calls cost the organization this month (UTC)."),
});
export type ModelsReply = z.infer<typeof modelsReplySchema>;

export const modelsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/models',
  auth: 'project',
  summary: 'List the language models that the server itself may call, and what of the monthly cap is left',
  description:
    'The operator configures models with `MODELS_FILE`, `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY` or `AI_BASE_URL` and `AI_MODEL`, and the cap with `AI_MONTHLY_USD`. Addresses and keys are never returned.',
  query: projectQuery,
  reply: modelsReplySchema,
});
