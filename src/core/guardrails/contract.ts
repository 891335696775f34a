import { z } from 'zod';
import {
  CHECK_KINDS,
  FAILURE_MODES,
  MAX_CHARACTERS,
  OUTCOMES,
  STAGES,
} from '../../lib/guardrails/definition.ts';
import { textParam } from '../events/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';
import { checkSchema, checksSchema, guardrailInput, guardrailName } from './input/contract.ts';

const time = (what: string) => z.string().describe(`${what}, ISO 8601 UTC.`);

const versionShape = {
  version: z.int().describe('Number of the version, from 1; each change makes the next.'),
  stage: z.enum(STAGES).describe('When it looks.'),
  checks: z.array(checkSchema).describe('Its checks, in the order in which they run.'),
  failureMode: z.enum(FAILURE_MODES).describe('What happens if a check cannot be made.'),
  environments: z.array(z.string()).describe('Environments in which it looks; empty: all.'),
  sampleRate: z.number().describe('Fraction of texts that are checked.'),
};

/** A guardrail in its newest version. */
export const guardrailSchema = z
  .object({
    id: z.string().describe('Id of the guardrail.'),
    projectId: z.string().describe('Id of the project.'),
    name: z.string().describe('Name, unique in the project.'),
    description: z.string().describe('What it is for.'),
    ...versionShape,
    enabled: z.boolean().describe('Whether it looks at all.'),
    createdAt: time('When it was created'),
    updatedAt: time('When it was last changed'),
  })
  .meta({ id: 'Guardrail' });
export type GuardrailReply = z.infer<typeof guardrailSchema>;

export const guardrailVersionSchema = z
  .object({
    ...versionShape,
    createdBy: z.string().nullable().describe('Name of the author; null if the account is gone.'),
    createdAt: time('When it was created'),
  })
  .meta({ id: 'GuardrailVersion' });

const params = z.object({ id: z.string().max(100).describe('Id of the guardrail.') });
const inProject = { auth: 'project', query: projectQuery } as const;
const EXAMPLE = {
  name: 'pii',
  stage: 'input',
  checks: [
    { kind: 'pii', config: { types: ['email', 'card', 'iban'] }, action: 'redact' },
    { kind: 'secrets', config: {}, action: 'block' },
  ],
};

export const listGuardrailsEndpoint = defineEndpoint({
  ...inProject,
  method: 'GET',
  path: '/v1/guardrails',
  summary: 'List the guardrails of a project by name',
  query: projectQuery.extend({
    cursor: textParam(200).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(100)
      .describe('Most guardrails in a page, 1 to 200. Default: 100.'),
  }),
  reply: z.object({
    guardrails: z.array(guardrailSchema).describe('Guardrails by name.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` for the next page; null on the last one.'),
  }),
});

export const createGuardrailEndpoint = defineEndpoint({
  ...inProject,
  method: 'POST',
  path: '/v1/guardrails',
  role: 'member',
  summary: 'Create a guardrail',
  description: 'A check of the kind `webhook` sends texts to another server, so it needs an admin.',
  body: guardrailInput,
  example: EXAMPLE,
  reply: guardrailSchema,
  status: 201,
});

export const getGuardrailEndpoint = defineEndpoint({
  ...inProject,
  method: 'GET',
  path: '/v1/guardrails/:id',
  summary: 'Get a guardrail',
  params,
  reply: guardrailSchema,
});

export const putGuardrailEndpoint = defineEndpoint({
  ...inProject,
  method: 'PUT',
  path: '/v1/guardrails/:id',
  role: 'member',
  summary: 'Replace a guardrail; a change of what it does makes a new version',
  description: 'A check of the kind `webhook` sends texts to another server, so it needs an admin.',
  params,
  body: guardrailInput,
  example: EXAMPLE,
  reply: guardrailSchema,
});

export const deleteGuardrailEndpoint = defineEndpoint({
  ...inProject,
  method: 'DELETE',
  path: '/v1/guardrails/:id',
  role: 'member',
  summary: 'Delete a guardrail with its versions; its events and figures stay',
  params,
  status: 204,
});

export const guardrailVersionsEndpoint = defineEndpoint({
  ...inProject,
  method: 'GET',
  path: '/v1/guardrails/:id/versions',
  summary: 'List the versions of a guardrail, newest first, at most 100',
  params,
  reply: z.object({ versions: z.array(guardrailVersionSchema).describe('Versions, newest first.') }),
});

const place = z.int().min(0);
export const checkResultSchema = z.object({
  guardrail: z.string().describe('Name of the guardrail.'),
  version: z.int().describe('Its version.'),
  check: z.enum(CHECK_KINDS).describe('Kind of the check.'),
  action: z.enum(OUTCOMES).describe('What came of it.'),
  score: z.number().describe('How sure it is, 0 to 1.'),
  matches: z
    .array(
      z.object({
        type: z.string().describe('What was found.'),
        start: place.describe('Where it starts, in UTF-16 units.'),
        end: place.describe('Where it ends, exclusive.'),
        part: place.describe('Number of the text in the messages, from 0; 0 for a single text.'),
      }),
    )
    .describe('Places, without their text.'),
  error: z.string().optional().describe('Why the check could not be made; then the failure mode decided.'),
  durationMs: z.number().describe('How long it took, in milliseconds.'),
});

export const verdictSchema = z
  .object({
    action: z.enum(OUTCOMES).describe('The strongest outcome of all checks.'),
    text: z.string().optional().describe('The text with redactions; only if `redact` came of a text.'),
    messages: z
      .unknown()
      .optional()
      .describe('The messages with redactions, in the same structure; only if `redact` came of messages.'),
    results: z.array(checkResultSchema).describe('What came of each check that looked.'),
    durationMs: z.number().describe('How long all checks took, in milliseconds.'),
  })
  .meta({ id: 'GuardrailVerdict' });
export type VerdictReply = z.infer<typeof verdictSchema>;

const content = {
  stage: z
    .enum(['input', 'output'])
    .default('input')
    .describe('Which side of a call it is. Default: `input`.'),
  text: z.string().max(MAX_CHARACTERS).optional().describe('Text to check; or `messages`.'),
  messages: z
    .array(z.unknown())
    .max(2_000)
    .optional()
    .describe('Messages of any provider to check; only their texts are read.'),
};
const eitherOne = ({ text, messages }: { text?: string | undefined; messages?: unknown }): boolean =>
  (text === undefined) !== (messages === undefined);
const EITHER = { path: ['text'], message: 'give either text or messages' };

const checkBody = z
  .strictObject({
    ...content,
    guardrails: z
      .array(guardrailName)
      .min(1)
      .max(50)
      .optional()
      .describe('Names of the guardrails. Default: all that are enabled.'),
    traceId: z.string().min(1).max(200).optional().describe('Trace that the events join.'),
    spanId: z.string().min(1).max(200).optional().describe('Span that the events are below.'),
    userId: z.string().min(1).max(200).optional().describe('End user, as events name it.'),
    sessionId: z.string().min(1).max(200).optional().describe('Session, as events name it.'),
    model: z.string().min(1).max(200).optional().describe('Model that is or was called.'),
    environment: z
      .string()
      .min(1)
      .max(200)
      .default('production')
      .describe('Environment. Default: `production`.'),
  })
  .refine(eitherOne, EITHER);
export type CheckBody = z.output<typeof checkBody>;
const CHECK_EXAMPLE = { stage: 'input', text: 'My card is 4539 5787 6362 1486.' };
const NOTHING_KEPT =
  'The text is neither stored nor logged. An event of the kind `guardrail` for each guardrail that looked keeps its outcome, the types and their numbers.';

export const checkEndpoint = defineEndpoint({
  ...inProject,
  method: 'POST',
  path: '/v1/guardrails/check',
  role: 'member',
  scopes: ['guardrails:check'],
  summary: 'Check a text or messages with the guardrails of a project',
  description: NOTHING_KEPT,
  body: checkBody,
  example: CHECK_EXAMPLE,
  reply: verdictSchema,
});

export const sdkCheckEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/sdk/guardrails/check',
  auth: 'key',
  limit: 'fetch',
  summary: 'Check a text with the guardrails of the project of an API key',
  description: `The same as \`POST /v1/guardrails/check\`, for the credential that a client has. ${NOTHING_KEPT}`,
  body: checkBody,
  example: CHECK_EXAMPLE,
  reply: verdictSchema,
});

export const tryEndpoint = defineEndpoint({
  ...inProject,
  method: 'POST',
  path: '/v1/guardrails/try',
  role: 'member',
  scopes: ['guardrails:check'],
  summary: 'Try checks on a text; nothing is kept',
  description:
    'For checks that are not saved. No event is recorded. A judge calls its model, and its cost counts; a webhook needs an admin.',
  body: z.strictObject({ ...content, checks: checksSchema }).refine(eitherOne, EITHER),
  example: { ...CHECK_EXAMPLE, checks: EXAMPLE.checks },
  reply: verdictSchema,
});
export type TryBody = z.output<typeof tryEndpoint.body>;

export const sdkGuardrailsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/sdk/guardrails',
  auth: 'key',
  limit: 'fetch',
  summary: 'Get the enabled guardrails of the project of an API key, as clients do',
  description:
    'Settings of judges and webhooks are left out: these run on the server. The reply has an `ETag`; with it in `If-None-Match`, unchanged guardrails are answered 304.',
  reply: z.object({
    guardrails: z
      .array(
        z.object({
          name: z.string().describe('Name.'),
          ...versionShape,
          checks: z.array(z.unknown()).describe('Checks; those that run on the server have no settings.'),
          enabled: z.boolean().describe('True.'),
        }),
      )
      .describe('Enabled guardrails by name.'),
  }),
});

export const detectorsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/guardrails/detectors',
  auth: 'session',
  summary: 'How precise the detectors are, measured on their examples',
  reply: z.object({
    detectors: z
      .array(
        z.object({
          check: z.string().describe('Kind of the check.'),
          type: z.string().describe('What is found.'),
          examples: z.int().describe('Examples that have it; for heuristics all examples.'),
          found: z.int().describe('Of them found.'),
          missed: z.int().describe('Of them missed.'),
          wrong: z.int().describe('Found where there is none.'),
          precision: z.number().nullable().describe('found / (found + wrong).'),
          recall: z.number().nullable().describe('found / (found + missed).'),
        }),
      )
      .describe('Detectors by check and type.'),
  }),
});
