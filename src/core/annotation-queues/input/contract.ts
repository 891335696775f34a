import { z } from 'zod';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';
import { filterText } from '../../events/filter/contract.ts';
import { scoreName, scoreValue } from '../../scores/values/contract.ts';

/** Most queues of a project, items of a queue, and items that one request adds. */
export const MAX_QUEUES = 100;
export const MAX_ITEMS = 10_000;
export const MAX_ADDED = 1_000;
const MAX_SCORES = 10;
const MAX_ANNOTATORS = 10;
const MAX_ASSIGNEES = 100;

const unique = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** A trace, or a span of it. */
const target = z.strictObject({
  traceId: z.string().min(1).max(128).describe('Id of the trace.'),
  spanId: z.string().min(1).max(128).optional().describe('Id of a span of it. Default: the whole trace.'),
});

/** Traces that a filter finds. */
const found = z.strictObject({
  filter: filterText
    .default('')
    .describe('Which traces, as in the list of traces: those with an event that matches. Default: all.'),
  start: z.iso.datetime({ offset: true }).optional().describe('From when, ISO 8601. Default: 7 days ago.'),
  end: z.iso.datetime({ offset: true }).optional().describe('Until when, ISO 8601. Default: now.'),
  sampleRate: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('Share of these traces, above 0 to 1, decided by the id of the trace. Default: 1.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_ADDED)
    .default(100)
    .describe(`Most traces, 1 to ${MAX_ADDED}, the newest first. Default: 100.`),
});
export type FoundItems = z.output<typeof found>;

const items = z.array(target).min(1).max(MAX_ADDED).describe(`Traces and spans, 1 to ${MAX_ADDED}.`);

/** What a request adds to a queue: named items, or what a filter finds. */
const source = { items: items.optional(), find: found.optional().describe('Traces that a filter finds.') };

export const itemsInput = z
  .strictObject(source)
  .refine((given) => (given.items === undefined) !== (given.find === undefined), 'give items or find');
export type ItemsInput = z.output<typeof itemsInput>;

const queueFields = {
  name: lineOfText(100).describe('Name, unique in the project.'),
  instructions: z
    .string()
    .trim()
    .max(5_000)
    .default('')
    .describe('What annotators should know, at most 5,000 characters. Default: empty.'),
  scoreNames: z
    .array(scoreName)
    .min(1)
    .max(MAX_SCORES)
    .refine(unique, 'must not name a score twice')
    .describe(`Scores that each annotation has, 1 to ${MAX_SCORES}; their definitions exist.`),
  assignees: z
    .array(z.string().min(1).max(100))
    .max(MAX_ASSIGNEES)
    .refine(unique, 'must not name a person twice')
    .default([])
    .describe('Ids of the people who annotate; empty for every member. Default: empty.'),
  annotators: z
    .int()
    .min(1)
    .max(MAX_ANNOTATORS)
    .default(1)
    .describe(`How many people annotate each item, 1 to ${MAX_ANNOTATORS}. Default: 1.`),
};

/** A queue as it is changed. */
export const queueInput = z.strictObject(queueFields);
export type QueueInput = z.output<typeof queueInput>;

/** A queue as it is created, with its first items or without. */
export const newQueueInput = z
  .strictObject({ ...queueFields, ...source })
  .refine((given) => given.items === undefined || given.find === undefined, 'give items or find, or neither');
export type NewQueueInput = z.output<typeof newQueueInput>;

/** What a person says of an item. */
export const annotationInput = z
  .strictObject({
    scores: z
      .record(scoreName, scoreValue)
      .optional()
      .describe('A value for each score of the queue: a number, a boolean, or a category.'),
    comment: z.string().trim().max(2_000).optional().describe('Why, at most 2,000 characters.'),
    skip: z.literal(true).optional().describe('Leaves the item out, instead of scoring it.'),
  })
  .refine(({ scores, skip }) => (scores === undefined) !== (skip === undefined), 'give scores or skip');
export type AnnotationInput = z.output<typeof annotationInput>;
