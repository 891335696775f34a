import { z } from 'zod';
import { instantParam, textParam } from '../events/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';
import {
  categoryName,
  MAX_CATEGORIES,
  MAX_DEFINITIONS,
  SCORE_DIRECTIONS,
  SCORE_SOURCES,
  SCORE_TYPES,
  scoreName,
  scoreValue,
} from './values/contract.ts';

/** Most scores of a request. */
export const MAX_SCORES = 100;

const TARGET = 'give traceId, traceId and spanId, or sessionId';

const definitionFields = {
  name: scoreName.describe('Name, as scores and measures have it.'),
  type: z.enum(SCORE_TYPES).describe('`numeric`, `boolean`, or `category` for one of some words.'),
  description: z.string().trim().max(2_000).default('').describe('What it says, for people who score.'),
  min: z.number().nullable().default(null).describe('Least value of a number; null for none.'),
  max: z.number().nullable().default(null).describe('Greatest value of a number; null for none.'),
  categories: z
    .array(categoryName)
    .min(1)
    .max(MAX_CATEGORIES)
    .refine((names) => new Set(names).size === names.length, 'must not name a category twice')
    .nullable()
    .default(null)
    .describe('Words of a category, 1 to 50; null allows any text.'),
  direction: z
    .enum(SCORE_DIRECTIONS)
    .default('higher')
    .describe('Whether high values are good (true of a boolean); `none` for neither. Default: `higher`.'),
};

/** A definition as it is created. */
export const definitionInput = z
  .strictObject(definitionFields)
  .refine(({ type, min, max }) => type === 'numeric' || (min === null && max === null), {
    path: ['min'],
    message: 'only a numeric score has a range',
  })
  .refine(({ min, max }) => min === null || max === null || min < max, {
    path: ['min'],
    message: 'must be below max',
  })
  .refine(({ type, categories }) => type === 'category' || categories === null, {
    path: ['categories'],
    message: 'only a score of type category has categories',
  });
export type DefinitionInput = z.output<typeof definitionInput>;

export const definitionSchema = z
  .object({
    id: z.string().describe('Id of the definition.'),
    ...definitionFields,
    description: z.string().describe('What it says, for people who score.'),
    min: z.number().nullable().describe('Least value of a number; null for none.'),
    max: z.number().nullable().describe('Greatest value of a number; null for none.'),
    categories: z.array(z.string()).nullable().describe('Words of a category; null if any text is allowed.'),
    direction: z.enum(SCORE_DIRECTIONS).describe('Which values are good.'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was last changed, ISO 8601 UTC.'),
  })
  .meta({ id: 'ScoreDefinition' });
export type ScoreDefinition = z.infer<typeof definitionSchema>;

const scoreId = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, colons, dashes');

const targetFields = {
  traceId: z.string().min(1).max(128).optional().describe('Id of the trace.'),
  spanId: z.string().min(1).max(128).optional().describe('Id of a span of the trace; only with `traceId`.'),
  sessionId: z.string().min(1).max(500).optional().describe('Id of the session, in place of `traceId`.'),
};

/** A score as it is sent. */
const scoreInput = z
  .strictObject({
    name: scoreName.describe('Name of the definition. The first score of a new name creates one.'),
    value: scoreValue.describe('A number, a boolean, or a category.'),
    ...targetFields,
    source: z
      .enum(SCORE_SOURCES)
      .optional()
      .describe('Who gave it. Default: `human` for a signed-in person, else `api`.'),
    comment: z.string().trim().max(2_000).optional().describe('Why, at most 2,000 characters.'),
    scoreId: scoreId
      .optional()
      .describe('Own id, so that a repetition changes nothing. With another value, it replaces the first.'),
  })
  .refine(
    ({ traceId, spanId, sessionId }) =>
      (traceId === undefined) !== (sessionId === undefined) &&
      (spanId === undefined || traceId !== undefined),
    TARGET,
  );
const orNull = (what: string) => z.string().nullable().describe(`${what}; null without one.`);

export const scoreSchema = z
  .object({
    id: z.string().describe('Id of the score.'),
    name: z.string().describe('Name of the definition.'),
    value: z.union([z.number(), z.boolean(), z.string()]).describe('A number, a boolean, or a category.'),
    traceId: orNull('Id of the trace'),
    spanId: orNull('Id of the span'),
    sessionId: orNull('Id of the session, if it is about all of it'),
    experimentItemId: orNull('Id of the result of an experiment'),
    source: z.enum(SCORE_SOURCES).describe('Who gave it.'),
    comment: orNull('Why'),
    evaluatorId: orNull('Evaluator that gave it'),
    evaluatorVersion: z.int().nullable().describe('Version of the evaluator; null without one.'),
    judgeEventId: orNull("Event of the judge's call"),
    createdBy: orNull('Id of the person'),
    author: orNull('Name of the person'),
    createdAt: z.string().describe('When it was given, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was last changed, ISO 8601 UTC.'),
    at: z
      .string()
      .describe('When its target began, where figures count it; until that is known, when it was given.'),
  })
  .meta({ id: 'Score' });
export type Score = z.infer<typeof scoreSchema>;

/** How far people agree who scored the same. */
export const scoreAgreementSchema = z
  .object({
    name: z.string().describe('Name of the score.'),
    method: z
      .enum(['kappa', 'alpha'])
      .describe(
        "`kappa`: Cohen's, for two people and values that are no numbers. `alpha`: Krippendorff's, for more people, and for numbers by their squared differences.",
      ),
    value: z
      .number()
      .nullable()
      .describe('1 is full agreement, 0 that of chance; null if all values are the same.'),
    items: z.int().describe('Items with values of two people or more.'),
    people: z.int().describe('People who gave these values.'),
    same: z.int().describe('Items whose values are all the same.'),
  })
  .meta({ id: 'ScoreAgreement' });
export type ScoreAgreement = z.infer<typeof scoreAgreementSchema>;

/** Reply to new scores. */
export const writtenSchema = z
  .object({
    scores: z
      .array(
        z.object({
          id: z.string().describe('Id of the score.'),
          name: z.string().describe('Name of the definition.'),
          outcome: z
            .enum(['created', 'updated', 'unchanged'])
            .describe('`unchanged`: it was stored before with the same value and comment.'),
        }),
      )
      .describe('The scores in the order of the request.'),
  })
  .meta({ id: 'WrittenScores' });
export type WrittenScores = z.infer<typeof writtenSchema>;

/** One score or a list; a single one becomes a list, so that errors name the field. */
const scoresBody = z
  .preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(scoreInput).min(1).max(MAX_SCORES))
  .describe('One score, or a list of 1 to 100.');

const ofProject = { auth: 'project' } as const;
const definitionParams = z.object({ id: z.string().max(100).describe('Id of the definition.') });
const DESCRIPTION =
  'Scores are about a trace, a span or a session, which need not have arrived yet. All are stored or none. With `scoreId` a request can be repeated: the same value changes nothing, another one replaces it.';
const EXAMPLE = {
  name: 'helpful',
  value: true,
  traceId: '5b8efff798038103d269b633813fc60c',
  scoreId: 'feedback-4711',
};

export const listDefinitionsEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/score-definitions',
  summary: 'List the definitions of scores, by name',
  query: projectQuery,
  reply: z.object({
    definitions: z.array(definitionSchema).describe(`Definitions by name; at most ${MAX_DEFINITIONS}.`),
  }),
});

export const postDefinitionEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/score-definitions',
  role: 'member',
  scopes: ['scores:write'],
  summary: 'Define what the scores of a name may be',
  query: projectQuery,
  body: definitionInput,
  example: { name: 'tone', type: 'category', categories: ['friendly', 'neutral', 'rude'], direction: 'none' },
  reply: definitionSchema,
  status: 201,
});

export const putDefinitionEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/score-definitions/:id',
  role: 'member',
  scopes: ['scores:write'],
  summary: 'Replace the description, range, categories and direction of a definition',
  description:
    'Name and type stay, because stored scores have them. Stored scores outside of the new range stay too.',
  query: projectQuery,
  params: definitionParams,
  body: definitionInput,
  example: {
    name: 'tone',
    type: 'category',
    categories: ['friendly', 'neutral', 'rude', 'odd'],
    direction: 'none',
  },
  reply: definitionSchema,
});

export const deleteDefinitionEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/score-definitions/:id',
  role: 'admin',
  summary: 'Delete a definition with all its scores',
  query: projectQuery,
  params: definitionParams,
  status: 204,
});

export const listScoresEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/scores',
  summary: 'List scores, newest first',
  query: projectQuery.extend({
    name: textParam(60).describe('Only scores of this name.'),
    traceId: textParam(128).describe('Only scores of this trace and its spans.'),
    sessionId: textParam(500).describe('Only scores of this session, without those of its traces.'),
    experimentItemId: textParam(100).describe('Only scores of this result of an experiment.'),
    source: z.enum(SCORE_SOURCES).optional().describe('Only scores of this source.'),
    evaluatorId: textParam(100).describe('Only scores of this evaluator.'),
    start: instantParam.describe('Only scores given at or after this time, ISO 8601 UTC.'),
    end: instantParam.describe('Only scores given until this time, ISO 8601 UTC.'),
    cursor: textParam(300).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most scores in a page, 1 to 200. Default: 50.'),
  }),
  reply: z.object({
    scores: z.array(scoreSchema).describe('Scores, newest first.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` for the next page; null on the last one.'),
  }),
});
export type ScoresQuery = Omit<z.output<typeof listScoresEndpoint.query>, 'projectId'>;

export const postScoresEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/scores',
  role: 'member',
  scopes: ['scores:write'],
  summary: 'Score traces, spans or sessions: one, or a list of at most 100',
  description: DESCRIPTION,
  query: projectQuery,
  body: scoresBody,
  example: EXAMPLE,
  reply: writtenSchema,
  status: 201,
});

export const sdkScoresEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/sdk/scores',
  auth: 'key',
  summary: 'Score what the project of an API key recorded, as clients do',
  description: `The same as \`POST /v1/scores\`, for the credential that a client has. ${DESCRIPTION}`,
  body: scoresBody,
  example: EXAMPLE,
  reply: writtenSchema,
  status: 201,
});

export const deleteScoreEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/scores/:id',
  role: 'member',
  scopes: ['scores:write'],
  summary: 'Delete a score',
  query: projectQuery,
  params: z.object({ id: z.string().max(100).describe('Id of the score.') }),
  status: 204,
});
