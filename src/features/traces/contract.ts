import { z } from 'zod';
import {
  listQuerySchema,
  traceMatchesSchema,
  tracePageSchema,
  traceReplySchema,
  waterfallReplySchema,
} from '../../core/events/contract.ts';
import { lineOrderSchema } from '../../core/events/order/contract.ts';
import { defineEndpoint, projectIdParam, projectQuery } from '../../core/tenancy/contract.ts';

export const listTracesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/traces',
  auth: 'project',
  summary: 'Traces, newest first or in another order, in pages',
  query: z.intersection(listQuerySchema, lineOrderSchema),
  reply: tracePageSchema,
});

export const getTraceEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/traces/:traceId',
  auth: 'project',
  summary: 'One trace as a tree of spans',
  params: z.object({ traceId: z.string().min(1).max(128).describe('Id of the trace.') }),
  query: projectQuery,
  reply: traceReplySchema,
});

export const getWaterfallEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/traces/:traceId/waterfall',
  auth: 'project',
  summary: 'Get what is needed to draw a trace, in columns',
  params: z.object({ traceId: z.string().min(1).max(128).describe('Id of the trace.') }),
  query: projectQuery,
  reply: waterfallReplySchema,
});

export const searchTraceEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/traces/:traceId/search',
  auth: 'project',
  summary: 'Find the spans of a trace that have a text in their names, errors, prompts and completions',
  params: z.object({ traceId: z.string().min(1).max(128).describe('Id of the trace.') }),
  query: z.object({
    projectId: projectIdParam,
    q: z.string().min(1).max(200).meta({
      description: 'Text to look for, 1 to 200 characters; letters match in either case.',
      example: 'refund',
    }),
  }),
  reply: traceMatchesSchema,
});
