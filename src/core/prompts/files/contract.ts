import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../tenancy/contract.ts';
import {
  labelName,
  newPromptSchema,
  promptConfigSchema,
  promptMessageSchema,
  promptName,
} from '../input/contract.ts';

/** A prompt as a file has it: what its newest version says. */
export const promptFileSchema = z.strictObject({
  name: promptName.describe('Name; `/` divides it into folders.'),
  description: z.string().max(1_000).default('').describe('What the prompt is for.'),
  tags: z.array(z.string().max(100)).max(20).default([]).describe('Tags.'),
  template: z.string().optional().describe('Text of a text prompt.'),
  messages: z.array(promptMessageSchema).optional().describe('Messages of a chat prompt.'),
  config: promptConfigSchema.default({}).describe('Model, temperature, tools and the like.'),
});
export type PromptFile = z.output<typeof promptFileSchema>;

/** Checks a file like a new prompt. */
export const checkedFile = newPromptSchema;

export const IMPORT_CHANGES = ['created', 'new version', 'updated', 'unchanged'] as const;

/** What an import did, or would do. */
export const importReplySchema = z.object({
  dryRun: z.boolean().describe('Whether nothing was changed.'),
  prompts: z
    .array(
      z.object({
        name: z.string().describe('Name of the prompt.'),
        change: z.enum(IMPORT_CHANGES).describe('What changed.'),
        version: z.int().nullable().describe('Number of its newest version.'),
      }),
    )
    .describe('The prompts of the request, in its order.'),
});
export type ImportReply = z.output<typeof importReplySchema>;

/** Most prompts of one import. */
export const MAX_FILES = 2_000;
const MB = 1_048_576;

export const exportPromptsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/prompt-files',
  auth: 'project',
  scopes: ['read', 'prompts:read'],
  summary: 'Get the newest version of each prompt of a project as one document',
  description: '`POST /v1/prompt-files` takes the document back, in this project or in another.',
  query: projectQuery,
  reply: z.object({ prompts: z.array(promptFileSchema).describe('Prompts by name.') }),
});

export const importPromptsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/prompt-files',
  auth: 'project',
  role: 'member',
  summary: 'Bring prompts to what a document says; equal ones get no new version',
  description:
    'All prompts change in one transaction, or none. Prompts that the document does not name stay as they are.',
  query: projectQuery,
  body: z.strictObject({
    prompts: z
      .array(promptFileSchema)
      .min(1)
      .max(MAX_FILES)
      .describe('As `GET /v1/prompt-files` gives them.'),
    dryRun: z.boolean().default(false).describe('Whether to say only what would change.'),
    labels: z
      .array(labelName)
      .max(10)
      .default([])
      .describe('Labels that new versions get, such as `production`.'),
    message: z.string().max(500).default('').describe('What changed, in a line.'),
  }),
  bodyLimits: { maxCompressed: 2 * MB, maxRaw: 8 * MB, encodings: ['gzip'] },
  example: { prompts: [{ name: 'support/triage', template: 'Sort {{ticket}}' }], dryRun: true },
  reply: importReplySchema,
});
