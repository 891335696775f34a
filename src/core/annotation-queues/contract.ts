import { z } from 'zod';
import { textParam } from '../events/contract.ts';
import { definitionSchema, scoreAgreementSchema } from '../scores/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';
import {
  annotationInput,
  itemsInput,
  MAX_ADDED,
  MAX_ITEMS,
  MAX_QUEUES,
  newQueueInput,
  queueInput,
} from './input/contract.ts';

/** For so long a claimed item is not given to another person. */
export const CLAIM_MINUTES = 15;
/** `claimed`: somebody looks at it. */
export const MARK_STATES = ['claimed', 'done', 'skipped'] as const;

const orNull = (what: string) => z.string().nullable().describe(`${what}; null without one.`);
const count = (what: string) => z.int().describe(what);

const person = z.object({
  userId: z.string().describe('Id of the person.'),
  name: orNull('Name of the person, while the account exists'),
});

export const queueSchema = z
  .object({
    id: z.string().describe('Id of the queue.'),
    name: z.string().describe('Name, unique in the project.'),
    instructions: z.string().describe('What annotators should know.'),
    scoreNames: z.array(z.string()).describe('Scores that each annotation has.'),
    assignees: z.array(person).describe('Who annotates; empty for every member.'),
    annotators: count('How many people annotate each item.'),
    items: count('Items.'),
    done: count('Items that as many people have annotated.'),
    annotations: count('Annotations of all people.'),
    mine: z
      .object({
        done: count('Items that you annotated.'),
        skipped: count('Items that you left out.'),
        open: count('Items that wait for you.'),
      })
      .describe('Your part.'),
    createdBy: orNull('Name of the author, while the account exists'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was last changed, ISO 8601 UTC.'),
  })
  .meta({ id: 'AnnotationQueue' });
export type AnnotationQueue = z.infer<typeof queueSchema>;

export const queueDetailSchema = queueSchema
  .extend({
    definitions: z.array(definitionSchema).describe('Definitions of its scores, in their order.'),
    people: z
      .array(person.extend({ done: count('Items they annotated.'), skipped: count('Items they left out.') }))
      .describe('Who annotated, most first.'),
    agreement: z
      .array(scoreAgreementSchema)
      .describe('How far annotators agree, for each score that two people gave to an item.'),
  })
  .meta({ id: 'AnnotationQueueDetail' });
export type QueueDetail = z.infer<typeof queueDetailSchema>;

const itemFields = {
  no: count('Number of the item in the queue.'),
  traceId: z.string().describe('Id of the trace.'),
  spanId: orNull('Id of the span'),
};

export const queueItemSchema = z
  .object({
    ...itemFields,
    annotations: z
      .array(
        person.extend({
          state: z.enum(MARK_STATES).describe('`claimed`: they look at it.'),
          scores: z
            .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
            .describe('Their values, by name.'),
          comment: orNull('Why'),
        }),
      )
      .describe('What people did with it.'),
    createdAt: z.string().describe('When it was added, ISO 8601 UTC.'),
  })
  .meta({ id: 'AnnotationItem' });
export type QueueItem = z.infer<typeof queueItemSchema>;

export const annotationTaskSchema = z
  .object({
    ...itemFields,
    event: z
      .object({
        id: z.string().describe('Id of the event.'),
        timestamp: z.string().describe('When it started, ISO 8601 UTC.'),
      })
      .nullable()
      .describe('The event to look at: the span, or the root or last call of the trace; null if it is gone.'),
    previous: z.int().nullable().describe('Number of the item before; null for the first.'),
    next: z.int().nullable().describe('Number of the item after; null for the last.'),
    state: z.enum(MARK_STATES).nullable().describe('What you did with it; null for nothing yet.'),
    claimedUntil: orNull('Until when it is yours, ISO 8601 UTC'),
    scores: z
      .record(z.string(), z.union([z.number(), z.boolean(), z.string()]))
      .describe('Your values, by name.'),
    comment: orNull('Your comment'),
  })
  .meta({ id: 'AnnotationTask' });
export type AnnotationTask = z.infer<typeof annotationTaskSchema>;

const addedSchema = z.object({
  added: count('Items that were added.'),
  known: count('Items that the queue had already.'),
});
export type AddedItems = z.infer<typeof addedSchema>;

const project = { auth: 'project' } as const;
const write = { auth: 'project', role: 'member' } as const;
const params = z.object({ id: z.string().max(100).describe('Id of the queue.') });
const itemParams = params.extend({
  no: z.coerce.number().int().min(1).max(1e9).describe('Number of the item.'),
});
const EXAMPLE = { name: 'Answers of this week', scoreNames: ['helpful'], annotators: 2 };
const FIND = { filter: 'environment:production', sampleRate: 0.1, limit: 50 };

export const listQueuesEndpoint = defineEndpoint({
  ...project,
  method: 'GET',
  path: '/v1/annotation-queues',
  summary: 'List annotation queues, newest first',
  query: projectQuery,
  reply: z.object({
    queues: z.array(queueSchema).describe(`Queues, newest first; at most ${MAX_QUEUES}.`),
  }),
});

export const postQueueEndpoint = defineEndpoint({
  ...write,
  method: 'POST',
  path: '/v1/annotation-queues',
  summary: 'Create an annotation queue, empty or with its first items',
  description: `People score the items one by one. A queue has at most ${MAX_ITEMS.toLocaleString('en-US')} items.`,
  query: projectQuery,
  body: newQueueInput,
  example: { ...EXAMPLE, find: FIND },
  reply: queueSchema.extend(addedSchema.shape),
  status: 201,
});

export const getQueueEndpoint = defineEndpoint({
  ...project,
  method: 'GET',
  path: '/v1/annotation-queues/:id',
  summary: 'Get a queue with its progress and the agreement of its annotators',
  query: projectQuery,
  params,
  reply: queueDetailSchema,
});

export const putQueueEndpoint = defineEndpoint({
  ...write,
  method: 'PUT',
  path: '/v1/annotation-queues/:id',
  summary: 'Change a queue; its items and annotations stay',
  query: projectQuery,
  params,
  body: queueInput,
  example: EXAMPLE,
  reply: queueSchema,
});

export const deleteQueueEndpoint = defineEndpoint({
  ...write,
  method: 'DELETE',
  path: '/v1/annotation-queues/:id',
  summary: 'Delete a queue; the scores that people gave stay',
  query: projectQuery,
  params,
  status: 204,
});

export const listQueueItemsEndpoint = defineEndpoint({
  ...project,
  method: 'GET',
  path: '/v1/annotation-queues/:id/items',
  summary: 'List the items of a queue with what each person said',
  query: projectQuery.extend({
    only: z
      .enum(['open', 'done', 'disagreed'])
      .optional()
      .describe('Only items that wait, that are done, or whose annotators gave different values.'),
    cursor: textParam(20).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most items in a page, 1 to 200. Default: 50.'),
  }),
  params,
  reply: z.object({
    items: z.array(queueItemSchema).describe('Items in their order.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` for the next page; null on the last one.'),
  }),
});

export const postQueueItemsEndpoint = defineEndpoint({
  ...write,
  method: 'POST',
  path: '/v1/annotation-queues/:id/items',
  summary: `Add up to ${MAX_ADDED} traces or spans to a queue: named ones, or what a filter finds`,
  description: 'An item that the queue has already is not added again.',
  query: projectQuery,
  params,
  body: itemsInput,
  example: { find: FIND },
  reply: addedSchema,
});

export const deleteQueueItemEndpoint = defineEndpoint({
  ...write,
  method: 'DELETE',
  path: '/v1/annotation-queues/:id/items/:no',
  summary: 'Take an item out of a queue; its scores stay',
  query: projectQuery,
  params: itemParams,
  status: 204,
});

export const claimItemEndpoint = defineEndpoint({
  ...write,
  method: 'POST',
  path: '/v1/annotation-queues/:id/claim',
  summary: `Take the next item that waits for you; it is yours for ${CLAIM_MINUTES} minutes`,
  description:
    'The same item comes again until you annotate or skip it. Null if no item waits: all are done, or others look at them.',
  query: projectQuery,
  params,
  reply: z.object({ task: annotationTaskSchema.nullable().describe('The item; null if none waits.') }),
});

export const getQueueItemEndpoint = defineEndpoint({
  ...project,
  method: 'GET',
  path: '/v1/annotation-queues/:id/items/:no',
  summary: 'Get an item of a queue with your own values',
  query: projectQuery,
  params: itemParams,
  reply: annotationTaskSchema,
});

export const putAnnotationEndpoint = defineEndpoint({
  ...write,
  method: 'PUT',
  path: '/v1/annotation-queues/:id/items/:no/annotation',
  summary: 'Score an item, or leave it out; sent again, it replaces your values',
  query: projectQuery,
  params: itemParams,
  body: annotationInput,
  example: { scores: { helpful: true }, comment: 'Names the right page.' },
  reply: annotationTaskSchema,
});
