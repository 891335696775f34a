import { z } from 'zod';
import { jsonProblem } from '../../../lib/json-limits.ts';
import { lineOfText } from '../../../lib/schema/line-of-text.ts';

/** Most items of one request that changes a dataset. */
export const MAX_CHANGED = 500;
/** Most characters of an item as JSON. */
const MAX_ITEM = 200_000;
const ITEM_LIMITS = { maxDepth: 32, maxKeys: 5_000 };

/** Name of a dataset. */
export const datasetName = lineOfText(200)
  .transform((name) => name.normalize('NFC'))
  .refine((name) => name.isWellFormed(), 'must be valid Unicode');

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not contain control characters');

export const itemId = lineOfText(200).refine((id) => id.isWellFormed(), 'must be valid Unicode');
export const splitName = lineOfText(50).refine((name) => name.isWellFormed(), 'must be valid Unicode');

/** An item as clients send it. */
export const newItemSchema = z
  .strictObject({
    id: itemId
      .optional()
      .describe(
        'Your own id, up to 200 characters. An item with a known id is changed, not added, so a retry is safe. Default: a new id.',
      ),
    input: z
      .unknown()
      .describe('What the task gets: any JSON value. Fields of an object are variables of a prompt.'),
    expectedOutput: z.unknown().optional().describe('What a right answer is: any JSON value. Default: null.'),
    metadata: z.record(z.string(), z.unknown()).nullish().describe('Anything else. Default: null.'),
    split: splitName.nullish().describe('Part of the dataset, such as `test`. Default: null.'),
    sourceTraceId: line(128).nullish().describe('Trace that the item is from. Default: null.'),
    sourceSpanId: line(128).nullish().describe('Span that the item is from. Default: null.'),
    userId: line(256)
      .nullish()
      .describe('End user whose data it is: erasing them deletes it. Default: null.'),
  })
  .superRefine((item, ctx) => {
    const problem = jsonProblem(item, ITEM_LIMITS, 'item');
    if (item.input === undefined)
      ctx.addIssue({ code: 'custom', path: ['input'], message: 'is missing; give any JSON value' });
    else if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
    else if (JSON.stringify(item).length > MAX_ITEM)
      ctx.addIssue({ code: 'custom', message: `has more than ${MAX_ITEM} characters as JSON` });
  });
export type NewItem = z.output<typeof newItemSchema>;

/** Most characters of a schema of items. */
const MAX_SCHEMA = 32_000;
const itemSchema = z
  .record(z.string(), z.unknown())
  .refine(
    (schema) => JSON.stringify(schema).length <= MAX_SCHEMA,
    `must have at most ${MAX_SCHEMA.toLocaleString('en-US')} characters`,
  )
  .nullable();
const schemaFields = (otherwise: string) => ({
  inputSchema: itemSchema
    .optional()
    .describe(
      `JSON Schema, draft 2020-12, that inputs of new and changed items must fit; null for any input. Default: ${otherwise}.`,
    ),
  expectedSchema: itemSchema
    .optional()
    .describe(
      `The same for expected outputs; an item without one fits. Items that are there stay. Default: ${otherwise}.`,
    ),
});

export const newDatasetSchema = z.strictObject({
  name: datasetName.describe('Name, unique in the project, up to 200 characters.'),
  description: line(2_000).default('').describe('What the dataset is for. Default: empty.'),
  ...schemaFields('null'),
});

export const datasetChangeSchema = z.strictObject({
  name: datasetName.describe('Name, unique in the project, up to 200 characters.'),
  description: line(2_000).describe('What the dataset is for.'),
  ...schemaFields('as it is'),
});

export const changeMessage = line(500).default('').describe('What changed, in a line. Default: empty.');

/** Which columns of a file become what. */
const column = z.string().min(1).max(200);
const columns = z.union([column, z.array(column).min(1).max(200)]);
export const mappingSchema = z.strictObject({
  input: columns.optional().describe('A column whose value is the input, or several: an object of them.'),
  expectedOutput: columns.optional().describe('The same for the expected output.'),
  metadata: z.array(column).max(200).optional().describe('Columns of the metadata.'),
  split: column.optional().describe('Column of the split.'),
  id: column.optional().describe('Column of the id.'),
});
export type Mapping = z.output<typeof mappingSchema>;

/** Most traces of one request that adds stored ones. */
export const MAX_STORED = 100;

/** Traces and spans that become items. */
export const storedItemsSchema = z.strictObject({
  targets: z
    .array(
      z.strictObject({
        traceId: z.string().min(1).max(128).describe('Id of the trace.'),
        spanId: z
          .string()
          .min(1)
          .max(128)
          .optional()
          .describe('Id of a span of it. Default: the root, or where it says nothing the last call.'),
      }),
    )
    .min(1)
    .max(MAX_STORED)
    .describe(`Traces and spans, 1 to ${MAX_STORED}.`),
  expected: z
    .enum(['output', 'none'])
    .default('output')
    .describe('Whether the stored output is the expected one, or the item has none. Default: `output`.'),
  split: splitName.nullish().describe('Part of the dataset, such as `test`. Default: null.'),
  skipMissing: z
    .boolean()
    .default(false)
    .describe('Whether traces without stored content are left out. Default: false, the request is refused.'),
  message: changeMessage,
});
export type StoredItems = z.output<typeof storedItemsSchema>;
