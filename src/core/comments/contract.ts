import { z } from 'zod';
import { defineEndpoint, projectIdParam, projectQuery } from '../tenancy/contract.ts';

/** Most comments on one trace or session, and most bookmarks of a project. */
export const MAX_COMMENTS = 500;
export const MAX_BOOKMARKS = 1_000;
/** The trace of the example of `POST /v1/otel`. */
const EXAMPLE_TRACE = '5b8efff798038103d269b633813fc60c';

const target = {
  traceId: z.string().min(1).max(128).optional().describe('Id of the trace.'),
  spanId: z.string().min(1).max(128).optional().describe('Id of a span of the trace; only with `traceId`.'),
  sessionId: z.string().min(1).max(500).optional().describe('Id of the session, in place of `traceId`.'),
};

type Given = {
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly sessionId?: string | undefined;
};
const namesOne = ({ traceId, spanId, sessionId }: Given): boolean =>
  (traceId === undefined) !== (sessionId === undefined) && (spanId === undefined || traceId !== undefined);
const WHICH = 'give traceId, traceId and spanId, or sessionId';

/** A trace, a span of it, or a session. */
export type Target = Given;

const text = z.string().trim().min(1).max(5_000).describe('Plain text, 1 to 5,000 characters.');
const person = {
  createdBy: z.string().describe('Id of the person.'),
  author: z.string().nullable().describe('Their name; null if the account is gone.'),
  createdAt: z.iso.datetime().describe('When, ISO 8601 UTC.'),
};
const aboutSchema = {
  traceId: z.string().nullable().describe('Id of the trace; null if it is about a session.'),
  spanId: z.string().nullable().describe('Id of the span; null if it is about all of the trace.'),
  sessionId: z.string().nullable().describe('Id of the session; null if it is about a trace.'),
};

export const commentSchema = z
  .object({
    id: z.string().describe('Id of the comment.'),
    ...aboutSchema,
    text,
    ...person,
    updatedAt: z.iso.datetime().describe('Time of the last change, ISO 8601 UTC.'),
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof commentSchema>;

export const bookmarkSchema = z
  .object({
    id: z.string().describe('Id of the bookmark.'),
    ...aboutSchema,
    name: z.string().describe('Name of the trace when it was bookmarked; empty for a session.'),
    ...person,
  })
  .meta({ id: 'Bookmark' });
export type Bookmark = z.infer<typeof bookmarkSchema>;

const ofProject = { auth: 'project' } as const;
const commentParams = z.object({ id: z.string().max(100).describe('Id of the comment.') });

export const listCommentsEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/comments',
  summary: 'List the comments on a trace and its spans, or on a session, oldest first',
  query: z
    .object({
      projectId: projectIdParam,
      traceId: target.traceId.meta({ description: 'Id of the trace.', example: EXAMPLE_TRACE }),
      sessionId: target.sessionId,
    })
    .refine(namesOne, 'give traceId or sessionId'),
  reply: z.object({
    comments: z.array(commentSchema).describe('Comments, oldest first; at most 500.'),
  }),
});

export const postCommentEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/comments',
  role: 'member',
  summary: 'Comment on a trace, a span or a session',
  query: projectQuery,
  body: z.strictObject({ ...target, text }).refine(namesOne, WHICH),
  example: { traceId: EXAMPLE_TRACE, text: 'The second search is the slow one.' },
  reply: commentSchema,
  status: 201,
});

export const putCommentEndpoint = defineEndpoint({
  ...ofProject,
  method: 'PUT',
  path: '/v1/comments/:id',
  role: 'member',
  summary: 'Change the text of your comment',
  query: projectQuery,
  params: commentParams,
  body: z.strictObject({ text }),
  example: { text: 'The second search is the slow one: it asks twice.' },
  reply: commentSchema,
});

export const deleteCommentEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/comments/:id',
  role: 'member',
  summary: 'Delete a comment; your own, or any as an admin',
  query: projectQuery,
  params: commentParams,
  status: 204,
});

export const listBookmarksEndpoint = defineEndpoint({
  ...ofProject,
  method: 'GET',
  path: '/v1/bookmarks',
  summary: 'List the bookmarked traces, spans and sessions of a project, newest first',
  query: projectQuery,
  reply: z.object({
    bookmarks: z.array(bookmarkSchema).describe('Bookmarks, newest first; at most 1,000.'),
  }),
});

export const postBookmarkEndpoint = defineEndpoint({
  ...ofProject,
  method: 'POST',
  path: '/v1/bookmarks',
  role: 'member',
  summary: 'Bookmark a trace, a span or a session for everybody in the project',
  description: 'What is bookmarked already stays as it is, and is the reply.',
  query: projectQuery,
  body: z.strictObject(target).refine(namesOne, WHICH),
  example: { traceId: EXAMPLE_TRACE },
  reply: bookmarkSchema,
  status: 201,
});

export const deleteBookmarkEndpoint = defineEndpoint({
  ...ofProject,
  method: 'DELETE',
  path: '/v1/bookmarks/:id',
  role: 'member',
  summary: 'Delete a bookmark',
  query: projectQuery,
  params: z.object({ id: z.string().max(100).describe('Id of the bookmark.') }),
  status: 204,
});
