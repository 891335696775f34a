import { z } from 'zod';
import { defineEndpoint, projectIdParam } from '../../core/tenancy/contract.ts';

/** What is searched. */
export const SEARCH_KINDS = ['event', 'trace', 'session', 'user', 'model', 'prompt', 'key'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Detail of a prompt that is in the library; others were only seen in events. */
export const LIBRARY = 'library';

const resultSchema = z
  .object({
    kind: z.enum(SEARCH_KINDS).describe('What was found.'),
    id: z.string().describe('Its id, or its name for a model or prompt.'),
    label: z.string().describe('What people call it.'),
    detail: z.string().nullable().describe('What tells it apart, such as the provider of a model.'),
    at: z.string().nullable().describe('Time of an event, ISO 8601 UTC; null for all else.'),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof resultSchema>;

export const searchReplySchema = z.object({
  results: z.array(resultSchema).describe('What exists and matches, at most 5 of each kind.'),
  incomplete: z
    .array(z.enum(SEARCH_KINDS))
    .describe('Kinds whose search failed or took too long: there may be more of them.'),
});
export type SearchReply = z.infer<typeof searchReplySchema>;

export const searchEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/search',
  auth: 'project',
  summary: 'Find events, traces, sessions, users, models, prompts and keys of a project',
  description:
    'Ids of events, traces and sessions are found whole, whatever their time. Users are found by the start of their ' +
    'id and models by any part of their name in the last 30 days; sessions by the start of their id in the last 24 ' +
    'hours; prompts of the library by any part of their name or newest text, others by their name in the last 24 ' +
    'hours; API keys by their name or prefix.',
  query: z.object({
    projectId: projectIdParam,
    q: z
      .string()
      .trim()
      .min(2)
      .max(200)
      .meta({ description: 'Text to find, 2 to 200 characters.', example: 'gpt' }),
  }),
  reply: searchReplySchema,
});
