import { z } from 'zod';
import { textParam } from '../events/contract.ts';
import { deletedBeforeField } from '../events/query/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';
import {
  labelBodySchema,
  labelName,
  labelVersionSchema,
  MAX_LABELS,
  newPromptSchema,
  newVersionSchema,
  promptChangeSchema,
  promptConfigSchema,
  promptMessageSchema,
  promptName,
  versionNumber,
} from './input/contract.ts';

export type { LabelVersion, NewPrompt, NewVersion, PromptChange, PromptConfig } from './input/contract.ts';
export { labelVersionSchema } from './input/contract.ts';

export const PROMPT_TYPES = ['text', 'chat'] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

const time = z.string();
const author = z.string().nullable().describe('Name of the author; null if the account is gone.');

export const promptLabelSchema = z.object({
  label: z.string().describe('Name of the label.'),
  versions: z.array(labelVersionSchema).describe('The version that it names, or several with weights.'),
  isProtected: z.boolean().describe('Whether only admins change it.'),
  updatedAt: time.describe('When it was last changed, ISO 8601 UTC.'),
});
export type PromptLabel = z.infer<typeof promptLabelSchema>;

const promptShape = {
  name: z.string().describe('Name; `/` divides it into folders.'),
  type: z.enum(PROMPT_TYPES).describe('`text`: one text. `chat`: messages.'),
  description: z.string().describe('What the prompt is for.'),
  tags: z.array(z.string()).describe('Tags.'),
  latestVersion: z.int().nullable().describe('Number of the newest version; null if all were deleted.'),
  labels: z.array(promptLabelSchema).describe('Labels by name, without `latest`.'),
  createdBy: author,
  createdAt: time.describe('When it was created, ISO 8601 UTC.'),
  updatedAt: time.describe('When it was last changed, ISO 8601 UTC.'),
};
export const promptSchema = z.object(promptShape).meta({ id: 'Prompt' });
export type Prompt = z.infer<typeof promptSchema>;

export const versionRowSchema = z
  .object({
    version: z.int().describe('Number, from 1.'),
    message: z.string().describe('What changed.'),
    labels: z.array(z.string()).describe('Labels that name it, `latest` among them.'),
    model: z.string().nullable().describe('Model of its config; null without one.'),
    variables: z.array(z.string()).describe('Variables of its own text.'),
    includes: z.array(z.string()).describe('Prompts that it includes.'),
    createdBy: author,
    createdAt: time.describe('When it was created, ISO 8601 UTC.'),
  })
  .meta({ id: 'PromptVersionRow' });
export type VersionRow = z.infer<typeof versionRowSchema>;

const replyBody = {
  template: z.string().optional().describe('Text; only of a text prompt.'),
  messages: z.array(promptMessageSchema).optional().describe('Messages; only of a chat prompt.'),
  config: promptConfigSchema.describe('Model, temperature, tools and the like.'),
};

export const promptVersionSchema = versionRowSchema
  .extend({ name: promptShape.name, type: promptShape.type, ...replyBody })
  .meta({ id: 'PromptVersion' });
export type PromptVersion = z.infer<typeof promptVersionSchema>;

const compiledVersion = {
  version: z.int().describe('Number of the version.'),
  ...replyBody,
  variables: z.array(z.string()).describe('Variables to fill, those of includes among them.'),
};

/** A version with its includes resolved, as clients fill it. */
export const compiledPromptSchema = z
  .object({
    name: promptShape.name,
    type: promptShape.type,
    label: z.string().nullable().describe('Label that was asked for; null for a version.'),
    ...compiledVersion,
    split: z
      .array(labelVersionSchema)
      .nullable()
      .describe('The versions of the label with their weights; null if it names one.'),
    candidates: z
      .array(z.object({ ...compiledVersion, weight: z.number().describe('Weight of the version.') }))
      .optional()
      .describe('All versions of the split; only with `candidates=true`.'),
  })
  .meta({ id: 'CompiledPrompt' });
export type CompiledPrompt = z.infer<typeof compiledPromptSchema>;

export const nameParams = z.object({
  name: promptName.describe('Name of the prompt, percent-encoded: `support%2Ftriage`.'),
});
const versionParams = nameParams.extend({
  version: z.coerce.number().pipe(versionNumber).describe('Number of the version.'),
});
const labelParams = nameParams.extend({ label: labelName.describe('Name of the label.') });

/** A version by its number or by a label. */
export const versionAtSchema = z
  .string()
  .regex(/^(\d{1,7}|[A-Za-z][A-Za-z0-9_.-]{0,99})$/, 'must be the number of a version or a label');

const ofProject = { auth: 'project' } as const;
const read = { ...ofProject, method: 'GET', scopes: ['read', 'prompts:read'] } as const;

const pageFields = {
  cursor: textParam(400).describe('`nextCursor` of the previous page; without one, the first page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Most entries in a page, 1 to 200. Default: 50.'),
};
const nextCursor = z
  .string()
  .nullable()
  .describe('Pass it as `cursor` for the next page; null on the last one.');

const listFiguresSchema = z.object({
  calls: z.int().describe('Calls made with the prompt.'),
  cost: z.number().nullable().describe('Cost of those that have a price, in USD; null if none has one.'),
  unpriced: z.int().describe('Calls without a known price; `cost` does not include them.'),
  errorRate: z.number().nullable().describe('Fraction of calls that failed; null without calls.'),
  latencyP95: z
    .number()
    .nullable()
    .describe('95th percentile of the latency in milliseconds; null without one.'),
  series: z.array(z.number()).describe('Calls of each day, oldest first.'),
});
export type ListFigures = z.infer<typeof listFiguresSchema>;

export const promptsPage = z.object({
  prompts: z
    .array(
      promptSchema.extend({
        figures: listFiguresSchema.optional().describe('Its figures; only with `figureDays`.'),
      }),
    )
    .describe('Prompts by name.'),
  folders: z
    .array(
      z.object({
        path: z.string().describe('Path of the folder.'),
        prompts: z.int().describe('Prompts in it, those of its folders included.'),
      }),
    )
    .describe('Folders directly below the asked one, by name; empty with `q` and on further pages.'),
  tags: z.array(z.string()).describe('All tags of the project; empty on further pages.'),
  nextCursor,
  deletedBefore: deletedBeforeField,
});
export type PromptsPage = z.infer<typeof promptsPage>;

export const listPromptsEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts',
  summary: 'List the prompts of a project by name',
  query: projectQuery.extend({
    q: textParam(200).describe('Only prompts whose name, description, tags or newest version contain it.'),
    text: textParam(1_000).describe(
      'Only prompts of which any version contains exactly this, such as the data of a person to erase.',
    ),
    tag: textParam(100).describe('Only prompts with this tag.'),
    figureDays: z.coerce
      .number()
      .int()
      .min(1)
      .max(90)
      .optional()
      .describe(
        'Adds the calls, the cost and the errors of so many days, 1 to 90, of the 500 most used prompts.',
      ),
    folder: z
      .string()
      .max(200)
      .optional()
      .describe('Only prompts directly in this folder; empty for the top. Default: all.'),
    ...pageFields,
  }),
  reply: promptsPage,
});
export type PromptsQuery = Omit<z.output<typeof listPromptsEndpoint.query>, 'projectId' | 'figureDays'>;

export const createPromptEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/prompts',
  role: 'member',
  summary: 'Create a prompt with its first version',
  query: projectQuery,
  body: newPromptSchema,
  example: {
    name: 'support/triage',
    template: 'Sort this ticket of {{customer}}: {{ticket}}',
    config: { model: 'gpt-4o-mini', temperature: 0 },
    labels: ['production'],
  },
  reply: promptSchema,
  status: 201,
});

export const getPromptEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts/:name',
  summary: 'Get a prompt: its labels, and the prompts that include it',
  query: projectQuery,
  params: nameParams,
  reply: promptSchema.extend({
    includedBy: z
      .array(
        z.object({
          name: z.string().describe('Name of the prompt.'),
          version: z.int().describe('Its newest version that includes this one.'),
        }),
      )
      .describe('Prompts whose versions include this one, at most 100, by name.'),
  }),
});
export type PromptDetail = z.infer<typeof getPromptEndpoint.reply>;

export const changePromptEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/prompts/:name',
  role: 'member',
  summary: 'Replace the description and the tags of a prompt',
  query: projectQuery,
  params: nameParams,
  body: promptChangeSchema,
  example: { description: 'Sorts tickets by urgency', tags: ['support'] },
  reply: promptSchema,
});

export const deletePromptEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/prompts/:name',
  role: 'member',
  summary: 'Delete a prompt with all its versions and labels',
  description:
    'Clients that fetch it get 404 from then on and use what they have. A prompt with a protected label needs an admin.',
  query: projectQuery.extend({
    confirm: z.string().max(200).meta({
      description: 'The name of the prompt again, so that none is deleted by mistake.',
      example: 'support/triage',
    }),
  }),
  params: nameParams,
  status: 204,
});

export const listVersionsEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts/:name/versions',
  summary: 'List the versions of a prompt, newest first, without their texts',
  query: projectQuery.extend(pageFields),
  params: nameParams,
  reply: z.object({ versions: z.array(versionRowSchema).describe('Versions, newest first.'), nextCursor }),
});

export const createVersionEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/prompts/:name/versions',
  role: 'member',
  summary: 'Add a version to a prompt; it gets the next number and never changes',
  query: projectQuery,
  params: nameParams,
  body: newVersionSchema,
  example: { template: 'Sort this ticket: {{ticket}}', message: 'Shorter', labels: ['staging'] },
  reply: promptVersionSchema,
  status: 201,
});

export const getVersionEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts/:name/versions/:version',
  summary: 'Get a version of a prompt as it was written',
  query: projectQuery,
  params: versionParams,
  reply: promptVersionSchema,
});

export const deleteVersionEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/prompts/:name/versions/:version',
  role: 'member',
  summary: 'Delete a version that no label names; its number is not used again',
  query: projectQuery,
  params: versionParams,
  status: 204,
});

export const putLabelEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/prompts/:name/labels/:label',
  role: 'member',
  summary: 'Point a label at a version, or at several with weights',
  description: 'A label that the project protects needs an admin. `latest` moves by itself.',
  query: projectQuery,
  params: labelParams,
  body: labelBodySchema,
  example: { version: 1 },
  reply: promptLabelSchema,
});

export const deleteLabelEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/prompts/:name/labels/:label',
  role: 'member',
  summary: 'Remove a label from a prompt',
  query: projectQuery,
  params: labelParams,
  status: 204,
});

const compiledFields = {
  label: labelName.optional().describe('Label to fetch. Default: `production`, unless `version` is given.'),
  version: z.coerce.number().pipe(versionNumber).optional().describe('Version to fetch, instead of a label.'),
  stickyKey: textParam(500).describe(
    'User, session or any other text that decides which version of a split it gets, always the same. Without it, each request draws one.',
  ),
  candidates: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` adds all versions of a split, for clients that choose themselves.'),
};
const oneOf = (query: { label?: string | undefined; version?: number | undefined }): boolean =>
  query.label === undefined || query.version === undefined;
const ETAG_NOTE = 'The reply has an `ETag`; with it in `If-None-Match`, an unchanged prompt is answered 304.';

export const compiledEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompts/:name/compiled',
  summary: 'Get a version of a prompt with its includes resolved, ready to be filled',
  description: ETAG_NOTE,
  query: projectQuery.extend(compiledFields).refine(oneOf, 'give either label or version'),
  params: nameParams,
  reply: compiledPromptSchema,
});

export const sdkPromptEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/sdk/prompts/:name',
  auth: 'key',
  limit: 'fetch',
  summary: 'Get a prompt of the project of an API key, as clients do',
  description: `The same as \`GET /v1/prompts/:name/compiled\`, for the credential that a client has. ${ETAG_NOTE}`,
  query: z.object(compiledFields).refine(oneOf, 'give either label or version'),
  params: nameParams,
  reply: compiledPromptSchema,
});
export type CompiledQuery = z.output<typeof sdkPromptEndpoint.query>;

export const promptLabelsSchema = z.object({
  protectedLabels: z
    .array(labelName)
    .max(MAX_LABELS)
    .describe('Labels that only admins change, in all prompts.'),
});

export const getPromptSettingsEndpoint = defineEndpoint({
  ...read,
  path: '/v1/prompt-settings',
  summary: 'Get the protected labels of a project',
  query: projectQuery,
  reply: promptLabelsSchema,
});

export const putPromptSettingsEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/prompt-settings',
  role: 'admin',
  summary: 'Replace the protected labels of a project',
  query: projectQuery,
  body: promptLabelsSchema.strict(),
  example: { protectedLabels: ['production'] },
  reply: promptLabelsSchema,
});
