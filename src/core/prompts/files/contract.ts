import { z } from 'zod';
import { newPromptSchema, promptConfigSchema, promptMessageSchema, promptName } from '../input/contract.ts';

/** A prompt as a file has it: what its newest version says. */
export const promptFileSchema = z.strictObject({
  name: promptName,
  description: z.string().max(1_000).default(''),
  tags: z.array(z.string().max(100)).max(20).default([]),
  template: z.string().optional(),
  messages: z.array(promptMessageSchema).optional(),
  config: promptConfigSchema.default({}),
});
export type PromptFile = z.output<typeof promptFileSchema>;

/** Checks a file like a new prompt. */
export const checkedFile = newPromptSchema;

export const IMPORT_CHANGES = ['created', 'new version', 'updated', 'unchanged'] as const;

/** What an import did, or would do. */
export const importReplySchema = z.object({
  dryRun: z.boolean(),
  prompts: z.array(
    z.object({
      name: z.string(),
      change: z.enum(IMPORT_CHANGES),
      version: z.int().nullable(),
    }),
  ),
});
export type ImportReply = z.output<typeof importReplySchema>;
