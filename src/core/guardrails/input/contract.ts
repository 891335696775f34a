import { z } from 'zod';
import { LANGUAGES } from '../../../lib/detect/content/language.ts';
import { PII_TYPES } from '../../../lib/detect/pii/detect-pii.ts';
import { SECRET_TYPES } from '../../../lib/detect/secrets/detect-secrets.ts';
import {
  CHECK_ACTIONS,
  type Check,
  type CheckKind,
  FAILURE_MODES,
  PLACED_KINDS,
  STAGES,
} from '../../../lib/guardrails/definition.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';
import { modelIdSchema } from '../../models/contract.ts';

/** Most checks of a guardrail, and most guardrails of a project. */
export const MAX_CHECKS = 20;
export const MAX_GUARDRAILS = 100;
const MAX_SCHEMA = 32_000;

const confidence = z.number().min(0).max(1).optional();
const timeoutMs = (most: number) =>
  z.int().min(100).max(most).optional().describe(`Time limit in milliseconds, 100 to ${most}.`);
const domain = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[^\s/:@]+$/, 'must be a domain such as example.com');

const action = z
  .enum(CHECK_ACTIONS)
  .describe('`flag`: note it. `redact`: replace the places. `block`: refuse the text.');

const check = <K extends CheckKind, C extends z.ZodType>(kind: K, config: C) =>
  z.strictObject({
    kind: z.literal(kind).describe('Kind of the check.'),
    config: config.describe('Settings of this kind.'),
    action,
  });

/** A check: its kind, the settings of that kind, and what it does when it finds something. */
export const checkSchema = z
  .discriminatedUnion('kind', [
    check(
      'pii',
      z.strictObject({
        types: z
          .array(z.enum(PII_TYPES))
          .min(1)
          .max(50)
          .optional()
          .describe('Only these types. Default: all.'),
        countries: z
          .array(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code such as DE'))
          .max(20)
          .optional()
          .describe('Countries whose national phone numbers are found. Default: US.'),
        minConfidence: confidence.describe('Least confidence of a match. Default: 0.5.'),
      }),
    ),
    check(
      'secrets',
      z.strictObject({
        types: z
          .array(z.enum(SECRET_TYPES))
          .min(1)
          .max(100)
          .optional()
          .describe('Only these types. Default: all.'),
        minConfidence: confidence.describe('Least confidence of a match. Default: 0.5.'),
      }),
    ),
    check(
      'prompt_injection',
      z.strictObject({ threshold: confidence.describe('Score from which it counts. Default: 0.7.') }),
    ),
    check(
      'regex',
      z.strictObject({
        pattern: z.string().min(1).max(1_000).describe('RE2 pattern: no lookaround, no back-references.'),
        flags: z
          .string()
          .regex(/^[ims]{0,3}$/, 'must be of i, m and s')
          .optional()
          .describe('`i`: any case. `m`: lines. `s`: a dot matches line breaks.'),
      }),
    ),
    check(
      'keywords',
      z.strictObject({
        words: z
          .array(lineOfText(200))
          .min(1)
          .max(1_000)
          .describe('Words and phrases; case makes no difference.'),
      }),
    ),
    check(
      'length',
      z
        .strictObject({
          maxCharacters: z.int().min(1).max(1_000_000).optional().describe('Most characters.'),
          minCharacters: z.int().min(1).max(1_000_000).optional().describe('Least characters.'),
          maxWords: z.int().min(1).max(1_000_000).optional().describe('Most words.'),
        })
        .refine(
          ({ maxCharacters, minCharacters, maxWords }) =>
            (maxCharacters ?? minCharacters ?? maxWords) !== undefined,
          'give maxCharacters, minCharacters or maxWords',
        ),
    ),
    check(
      'json_schema',
      z.strictObject({
        schema: z
          .record(z.string(), z.unknown())
          .refine(
            (schema) => JSON.stringify(schema).length <= MAX_SCHEMA,
            `must have at most ${MAX_SCHEMA} characters`,
          )
          .describe('JSON Schema, draft 2020-12, that the text must fit.'),
      }),
    ),
    check(
      'urls',
      z.strictObject({
        allow: z.array(domain).max(500).optional().describe('Only these domains and those below them.'),
        deny: z.array(domain).max(500).optional().describe('Not these domains and those below them.'),
      }),
    ),
    check(
      'language',
      z.strictObject({
        allow: z.array(z.enum(LANGUAGES)).min(1).max(50).describe('Languages by ISO 639-1, such as `en`.'),
        minConfidence: confidence.describe('How sure another language must be. Default: 0.6.'),
      }),
    ),
    check(
      'judge',
      z.strictObject({
        instructions: z.string().min(1).max(8_000).describe('What the model shall look for, in words.'),
        model: modelIdSchema.describe('Model as `<name>/<model>`; `GET /v1/models` lists them.'),
        threshold: confidence.describe('Score from which it counts. Default: 0.5.'),
        timeoutMs: timeoutMs(30_000),
      }),
    ),
    check(
      'webhook',
      z.strictObject({
        url: z
          .url({ protocol: /^https?$/, error: 'must be a link that starts with https://' })
          .max(2_000)
          .describe(
            'Link that gets `{ text }` and answers `{ score }` or `{ block }`. It is stored encrypted; replies show only its server, as `https://example.com/…`, which means the same link in a change.',
          ),
        types: z
          .array(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lower case letters, digits and _'))
          .max(50)
          .optional()
          .describe(
            'What the server may call what it finds, such as `insult`. Any other `type` of a reply is kept as `webhook`, so that no part of a text comes back as one.',
          ),
        timeoutMs: timeoutMs(15_000),
      }),
    ),
  ])
  .refine(
    ({ kind, action: does }) => does !== 'redact' || (PLACED_KINDS as readonly CheckKind[]).includes(kind),
    { path: ['action'], message: `redact needs a check that finds places: ${PLACED_KINDS.join(', ')}` },
  )
  .meta({ id: 'GuardrailCheck' });

/** The checks of a guardrail, of the types that the library runs. */
export const checksSchema: z.ZodType<Check[], z.input<typeof checkSchema>[]> = z
  .array(checkSchema)
  .min(1)
  .max(MAX_CHECKS)
  .describe(`Checks, 1 to ${MAX_CHECKS}.`);

/** The name of a guardrail, as code names it. */
export const guardrailName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/,
    'must be 1 to 80 letters, digits, dots, dashes and underscores',
  );

/** Body of `POST /v1/guardrails` and `PUT /v1/guardrails/:id`. */
export const guardrailInput = z.strictObject({
  name: guardrailName.describe('Name, unique in the project; clients choose guardrails by it.'),
  description: z.string().max(1_000).default('').describe('What it is for.'),
  stage: z
    .enum(STAGES)
    .default('both')
    .describe('`input`: what goes to a model. `output`: what comes back. Default: `both`.'),
  checks: checksSchema,
  failureMode: z
    .enum(FAILURE_MODES)
    .default('open')
    .describe('If a check cannot be made: `open` lets the text pass, `closed` blocks it. Default: `open`.'),
  environments: z
    .array(lineOfText(200))
    .max(20)
    .default([])
    .describe('Only in these environments. Default: all.'),
  sampleRate: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Fraction of texts that are checked, 0 to 1. Default: 1.'),
  enabled: z.boolean().default(true).describe('Default: true.'),
});
export type GuardrailInput = z.output<typeof guardrailInput>;
