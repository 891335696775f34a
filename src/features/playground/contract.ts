import { z } from 'zod';
import { chatMessageSchema, modelConfigSchema, modelIdSchema } from '../../core/models/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Most messages of a request. */
const MAX_MESSAGES = 200;
const MB = 1_048_576;

const runBodySchema = z.strictObject({
  model: modelIdSchema.describe('Model as `<name>/<model>`; `GET /v1/models` lists them.'),
  messages: z
    .array(chatMessageSchema)
    .min(1)
    .max(MAX_MESSAGES)
    .optional()
    .describe('Conversation, oldest message first; without it, that of `prompt`.'),
  variables: z
    .record(z.string().max(200), z.string().max(1_000_000))
    .optional()
    .describe('Values of the variables `{{name}}`. Without it, stated messages are sent as they are.'),
  prompt: z
    .strictObject({
      name: z.string().min(1).max(200).describe('Name of the prompt.'),
      version: z.int().min(1).optional().describe('Number of the version.'),
      label: z.string().min(1).max(100).optional().describe('Label instead. Default: `production`.'),
    })
    .optional()
    .describe(
      'Prompt of the library to run. Beside `messages`: the version that they are from, for the event.',
    ),
  config: modelConfigSchema
    .omit({ model: true })
    .default({})
    .describe(
      'How the model is called. Fields of the version that `prompt` names apply where this has none.',
    ),
});

export type RunInput = z.output<typeof runBodySchema>;
export type RunRequest = z.input<typeof runBodySchema>;

const example = {
  model: 'openai/gpt-4o-mini',
  messages: [
    { role: 'system', content: 'Answer in one word.' },
    { role: 'user', content: 'What is the capital of France?' },
  ],
  config: { temperature: 0, maxOutputTokens: 20 },
};
const run = {
  method: 'POST',
  auth: 'project',
  role: 'member',
  scopes: ['ai:use'],
  query: projectQuery,
  body: runBodySchema,
  bodyLimits: { maxCompressed: 4 * MB, maxRaw: 4 * MB, encodings: [] },
  example,
} as const;

export const runPromptEndpoint = defineEndpoint({
  ...run,
  path: '/v1/prompts/run',
  summary: 'Call a model with messages, and stream what it says',
  description:
    'Replies with server-sent events, each with JSON in `data`. `type` is `started` (ids and the expected cost), `text`, `reasoning`, `toolCall`, `warning`, `retrying`, and at the end `finished` with status, tokens and the cost that the ledger has. Failures of the provider are a `finished` with another status than `success`. What is refused before the call has an ordinary error reply: 400, 429 if the monthly cap has no room, 503 if no model is configured. End the request to stop the call: it is then billed and recorded as cancelled.',
});
