import { z } from 'zod';
import { jsonProblem } from '../../../lib/json-limits.ts';
import { partsOf } from '../../../lib/prompts/fill-template.ts';
import { MAX_TEMPLATE, TemplateError } from '../../../lib/prompts/parse-template.ts';

/** The label that a fetch without one gets, and the one that always is the newest version. */
export const DEFAULT_LABEL = 'production';
export const LATEST = 'latest';

export const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export const MAX_MESSAGES = 100;
export const MAX_LABELS = 50;
export const MAX_SPLIT = 20;
const MAX_CONFIG = 64_000;
const CONFIG_LIMITS = { maxDepth: 20, maxKeys: 2_000 };

const noControls = (text: string): boolean => !/\p{Cc}/u.test(text);
const isSegment = (segment: string): boolean =>
  !['', '.', '..'].includes(segment) && segment.trim() === segment;

/** Name of a prompt. `/` divides it into folders. */
export const promptName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .transform((name) => name.normalize('NFC'))
  .refine((name) => name.isWellFormed() && noControls(name), 'must not contain control characters')
  .refine((name) => !/[@{}\\]/.test(name), 'must not contain @, {, } or \\')
  .refine(
    (name) => name.split('/').every(isSegment),
    'must not begin or end with /, nor have empty folders, spaces around /, or folders called . or ..',
  );

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => text.isWellFormed() && noControls(text), 'must not contain control characters');

/** Name of a label. */
export const labelName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/,
    'must be letters, digits, `_`, `.` and `-`, from a letter, at most 100',
  );

export const promptMessageSchema = z.strictObject({
  role: z.enum(MESSAGE_ROLES).describe('Role of the message.'),
  content: z.string().max(MAX_TEMPLATE).describe('Text with `{{variables}}` and `{{> includes}}`.'),
});

/** Settings of a call beside its text. Own fields are kept as they are. */
export const promptConfigSchema = z
  .looseObject({
    model: line(200).optional().describe('Model to call.'),
    temperature: z.number().min(0).max(100).optional().describe('Temperature.'),
    maxTokens: z.int().min(1).optional().describe('Most output tokens.'),
    tools: z.array(z.looseObject({})).max(200).optional().describe('Tools, as the provider takes them.'),
    responseFormat: z.looseObject({}).optional().describe('Format of the reply, such as a JSON schema.'),
  })
  .superRefine((config, ctx) => {
    const problem = jsonProblem(config, CONFIG_LIMITS, 'config');
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
    else if (JSON.stringify(config).length > MAX_CONFIG)
      ctx.addIssue({ code: 'custom', message: `must not have more than ${MAX_CONFIG} characters as JSON` });
  });
export type PromptConfig = z.output<typeof promptConfigSchema>;

/** What a version says: either `template` or `messages`. */
const bodyFields = {
  template: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Text of a text prompt, with `{{variable}}` and `{{> other@label}}`; `{{'{{'}}` stands for two braces.",
    ),
  messages: z
    .array(promptMessageSchema)
    .min(1)
    .max(MAX_MESSAGES)
    .optional()
    .describe('Messages of a chat prompt, instead of `template`.'),
};

const newVersionFields = {
  ...bodyFields,
  config: promptConfigSchema.default({}).describe('Model, temperature, tools and the like. Default: empty.'),
  message: line(500).default('').describe('What changed, in a line.'),
  labels: z
    .array(labelName)
    .max(MAX_LABELS)
    .default([])
    .describe('Labels that this version gets in the same step, such as `production`.'),
};

type Body = z.output<z.ZodObject<typeof bodyFields>>;

/** Adds the mistake of the templates to a parsed body. */
function checkBody(body: Body, ctx: z.RefinementCtx): void {
  const message = bodyProblem(body);
  const path = [body.messages === undefined ? 'template' : 'messages'];
  if (message !== null) ctx.addIssue({ code: 'custom', path, message });
}

function bodyProblem({ template, messages }: Body): string | null {
  if ((template === undefined) === (messages === undefined)) return 'give either template or messages';
  const texts = template === undefined ? (messages ?? []).map(({ content }) => content) : [template];
  if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_TEMPLATE)
    return `must not have more than ${MAX_TEMPLATE.toLocaleString('en-US')} characters`;
  if (!texts.every((text) => text.isWellFormed())) return 'contains an unpaired surrogate';
  try {
    partsOf(template === undefined ? { messages: messages ?? [] } : { template });
    return null;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return error.message;
  }
}

/** Body of `POST /v1/prompts/:name/versions`. */
export const newVersionSchema = z.strictObject(newVersionFields).superRefine(checkBody);
export type NewVersion = z.output<typeof newVersionSchema>;

const promptFields = {
  description: line(1_000).default('').describe('What the prompt is for.'),
  tags: z
    .array(line(100).min(1))
    .max(20)
    .transform((tags) => [...new Set(tags)])
    .default([])
    .describe('Tags to find it by, at most 20.'),
};

/** Body of `POST /v1/prompts`: a prompt and its first version. */
export const newPromptSchema = z
  .strictObject({
    name: promptName.describe('Name, at most 200 characters; `/` divides it into folders.'),
    ...promptFields,
    ...newVersionFields,
  })
  .superRefine(checkBody);
export type NewPrompt = z.output<typeof newPromptSchema>;

export const promptChangeSchema = z.strictObject(promptFields);
export type PromptChange = z.output<typeof promptChangeSchema>;

export const versionNumber = z.int().min(1).max(1_000_000);
export const labelVersionSchema = z.strictObject({
  version: versionNumber.describe('Number of the version.'),
  weight: z.number().positive().max(1_000_000).describe('Its share, relative to the other weights.'),
});
export type LabelVersion = z.output<typeof labelVersionSchema>;

/** Body of `PUT …/labels/:label`. */
export const labelBodySchema = z
  .strictObject({
    version: versionNumber.optional().describe('The version that the label names.'),
    versions: z
      .array(labelVersionSchema)
      .min(1)
      .max(MAX_SPLIT)
      .refine(
        (list) => new Set(list.map(({ version }) => version)).size === list.length,
        'must not name a version twice',
      )
      .optional()
      .describe(
        'A split instead: several versions with weights. A user or session always gets the same one.',
      ),
  })
  .refine(
    ({ version, versions }) => (version === undefined) !== (versions === undefined),
    'give either version or versions',
  )
  .transform(({ version, versions }): readonly LabelVersion[] =>
    version === undefined ? (versions ?? []) : [{ version, weight: 1 }],
  );
