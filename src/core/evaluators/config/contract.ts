import { z } from 'zod';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';
import { modelIdSchema } from '../../models/contract.ts';
import {
  categoryName,
  MAX_CATEGORIES,
  SCORE_DIRECTIONS,
  SCORE_TYPES,
  scoreName,
} from '../../scores/values/contract.ts';

/** How an evaluator judges. All but `judge` and `webhook` are deterministic, and all but `judge` cost nothing. */
export const EVALUATOR_KINDS = [
  'exact',
  'contains',
  'regex',
  'json_schema',
  'numeric',
  'similarity',
  'latency',
  'cost',
  'guardrail',
  'judge',
  'webhook',
] as const;
export type EvaluatorKind = (typeof EVALUATOR_KINDS)[number];

/** Longest template of a judge, all messages together. */
const MAX_TEMPLATE = 50_000;
const MAX_TEXT = 1_000;

const path = z
  .string()
  .trim()
  .regex(/^[^.]{1,100}(\.[^.]{1,100}){0,9}$/, 'must be names separated by dots, such as answer.text')
  .optional()
  .describe('Part of a JSON output that is judged, such as `answer.text`. Default: all of it.');
const ignoreCase = z
  .boolean()
  .default(false)
  .describe('Whether letters match in either case. Default: false.');

const exact = z.strictObject({ ignoreCase, path });

const contains = z.strictObject({
  texts: z
    .array(z.string().min(1).max(MAX_TEXT))
    .min(1)
    .max(50)
    .optional()
    .describe('Texts to look for, 1 to 50. Default: the expected output.'),
  mode: z
    .enum(['all', 'any', 'none'])
    .default('all')
    .describe('Whether all, any or none of the texts must be there. Default: `all`.'),
  ignoreCase,
  path,
});

const regex = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(MAX_TEXT)
    .describe(
      "Regular expression in RE2's syntax: matched in linear time, without lookaround and backreferences.",
    ),
  mode: z
    .enum(['matches', 'absent'])
    .default('matches')
    .describe('Whether the pattern must be found, or must not. Default: `matches`.'),
  ignoreCase,
  path,
});

const jsonSchema = z.strictObject({
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema, draft 2020-12.'),
  path,
});

const numeric = z.strictObject({
  tolerance: z
    .number()
    .min(0)
    .default(0)
    .describe('Largest difference from the expected number. Default: 0.'),
  relative: z
    .boolean()
    .default(false)
    .describe('Whether the tolerance is a fraction of the expected number. Default: false.'),
  path,
});

const similarity = z.strictObject({
  method: z
    .enum(['words', 'characters'])
    .default('words')
    .describe(
      '`words`: F1 of the words that output and expected output share. `characters`: 1 minus the edit distance over the length of the longer text. Default: `words`.',
    ),
  path,
});

const latency = z.strictObject({
  maxMs: z
    .number()
    .positive()
    .optional()
    .describe('Longest latency that passes, in milliseconds. Without it, the score is the latency.'),
});

const cost = z.strictObject({
  maxUsd: z
    .number()
    .min(0)
    .optional()
    .describe('Highest cost that passes, in USD. Without it, the score is the cost.'),
});

const guardrail = z.strictObject({
  guardrail: z
    .string()
    .min(1)
    .max(100)
    .describe('Name of a guardrail that is on. Its checks of models and webhooks are left out.'),
  stage: z
    .enum(['input', 'output'])
    .default('output')
    .describe('Whether the output is checked as an output or as an input. Default: `output`.'),
  path,
});

const judge = z.strictObject({
  model: modelIdSchema.describe('Model as `<name>/<model>`; `GET /v1/models` lists them.'),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['system', 'user']).describe('Who says it.'),
        content: z
          .string()
          .min(1)
          .max(MAX_TEMPLATE)
          .describe('Template with {{input}}, {{output}}, {{expected}} and {{context}}.'),
      }),
    )
    .min(1)
    .max(10)
    .refine(
      (messages) => messages.reduce((sum, { content }) => sum + content.length, 0) <= MAX_TEMPLATE,
      `must have at most ${MAX_TEMPLATE.toLocaleString('en-US')} characters together`,
    )
    .describe('What the model is asked. The form of the answer is added by itself.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Randomness, 0 to 2. Default: the model's; some models allow no other."),
  maxOutputTokens: z.int().min(16).max(8_192).default(1_024).describe('Most output tokens. Default: 1024.'),
});

/** What is shown of a link after its server, and in place of a secret. In a change they mean what they were. */
export const HIDDEN_LINK = '/…';
export const HIDDEN_SECRET = '…';

const webhook = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be a link that starts with https://' })
    .max(2_000)
    .describe(
      'Link that is asked. It is stored encrypted; replies show only its server, as `https://example.com/…`, which means the same link in a change.',
    ),
  secret: z
    .string()
    .regex(
      /^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|…)$/,
      'must be whsec_ and 24 to 64 random bytes in base64, such as that of: echo whsec_$(openssl rand -base64 32)',
    )
    .describe(
      'Signing secret: `whsec_` and 24 to 64 random bytes in base64. It is stored encrypted and never shown: replies have `…`, which means the same secret in a change.',
    ),
  timeoutMs: z
    .int()
    .min(100)
    .max(30_000)
    .optional()
    .describe('Time limit in milliseconds, 100 to 30000. Default: 10000.'),
});

/** What a judge or a webhook answers. */
const judgeOutput = z
  .strictObject({
    type: z.enum(SCORE_TYPES).describe('Type of the score.'),
    min: z.number().nullable().default(null).describe('Least value of a number; null for none.'),
    max: z.number().nullable().default(null).describe('Greatest value of a number; null for none.'),
    categories: z
      .array(categoryName)
      .min(2)
      .max(MAX_CATEGORIES)
      .nullable()
      .default(null)
      .describe('Words of a category; required for one.'),
    direction: z
      .enum(SCORE_DIRECTIONS)
      .default('higher')
      .describe('Which values are good. Default: `higher`.'),
  })
  .refine(({ type, categories }) => (type === 'category') === (categories !== null), {
    path: ['categories'],
    message: 'are required for type category, and only for it',
  })
  .refine(({ min, max }) => min === null || max === null || min < max, {
    path: ['min'],
    message: 'must be below max',
  });
export type JudgeOutput = z.output<typeof judgeOutput>;

const common = {
  name: lineOfText(60).describe('Name, unique in the project.'),
  description: z.string().trim().max(2_000).default('').describe('What it judges, for people.'),
  scoreName: scoreName.describe('Name of the scores that it gives.'),
};
/** All kinds with some fields before their own. */
function kindsWith<const H extends z.core.$ZodShape>(head: H) {
  const of = <const K extends EvaluatorKind, C extends z.ZodType>(kind: K, config: C) =>
    z.strictObject({
      ...head,
      kind: z.literal(kind).describe('How it judges.'),
      config: config.describe('Settings of the kind.'),
    });
  return z.discriminatedUnion(
    'kind',
    [
      of('exact', exact.prefault({})),
      of('contains', contains.prefault({})),
      of('regex', regex),
      of('json_schema', jsonSchema),
      of('numeric', numeric.prefault({})),
      of('similarity', similarity.prefault({})),
      of('latency', latency.prefault({})),
      of('cost', cost.prefault({})),
      of('guardrail', guardrail),
      of('judge', judge).extend({ output: judgeOutput.describe('What the judge answers.') }),
      of('webhook', webhook).extend({ output: judgeOutput.describe('What the webhook answers.') }),
    ],
    { error: `must be one of ${EVALUATOR_KINDS.join(', ')}` },
  );
}

/** An evaluator as it is created, changed or tested. */
export const evaluatorInput = kindsWith(common).meta({ id: 'EvaluatorInput' });
/** An evaluator that is not saved: it has no name. Experiments refuse a webhook here, which has secrets. */
export const inlineEvaluator = kindsWith({ scoreName: common.scoreName }).meta({ id: 'InlineEvaluator' });
export type EvaluatorInput = z.output<typeof evaluatorInput>;
/** How an evaluator of a kind judges. */
export type EvaluatorRules = EvaluatorInput extends infer E
  ? E extends EvaluatorInput
    ? Omit<E, 'name' | 'description' | 'scoreName'>
    : never
  : never;
export type RulesOf<K extends EvaluatorKind> = Extract<EvaluatorRules, { readonly kind: K }>;

/** Variables of the templates of judges. */
export const JUDGE_VARIABLES = ['input', 'output', 'expected', 'context'] as const;
