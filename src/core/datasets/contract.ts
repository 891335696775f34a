import { z } from 'zod';
import { textParam } from '../events/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';
import {
  changeMessage,
  datasetChangeSchema,
  itemId,
  MAX_CHANGED,
  mappingSchema,
  newDatasetSchema,
  newItemSchema,
  splitName,
  storedItemsSchema,
} from './input/contract.ts';

export type { Mapping, NewItem } from './input/contract.ts';

const time = z.string();
const nextCursor = z
  .string()
  .nullable()
  .describe('Pass it as `cursor` for the next page; null on the last one.');
const cursor = textParam(100).describe('`nextCursor` of the previous page; without one, the first page.');
const limit = (most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(50)
    .describe(`Most entries in a page, 1 to ${most}. Default: 50.`);
const author = z.string().nullable().describe('Name of the author; null if the account is gone.');

export const datasetSchema = z
  .object({
    id: z.string().describe('Id.'),
    name: z.string().describe('Name.'),
    description: z.string().describe('What the dataset is for.'),
    inputSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema that inputs of new items must fit; null for any.'),
    expectedSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema that expected outputs of new items must fit; null for any.'),
    version: z.int().describe('Number of the newest version; 0 before the first item.'),
    items: z.int().describe('Items of the newest version.'),
    splits: z
      .array(
        z.object({
          name: z.string().nullable().describe('Name of the split; null for items without one.'),
          items: z.int().describe('Items in it.'),
        }),
      )
      .describe('Splits of the newest version by name, the first 50.'),
    bytes: z.int().describe('Size of the items of all versions.'),
    isImporting: z.boolean().describe('Whether an import is writing the next version.'),
    createdBy: author,
    createdAt: time.describe('When it was created, ISO 8601 UTC.'),
    updatedAt: time.describe('When it was last changed, ISO 8601 UTC.'),
  })
  .meta({ id: 'Dataset' });
export type Dataset = z.infer<typeof datasetSchema>;

export const datasetItemSchema = z
  .object({
    id: z.string().describe('Id of the item, unique in the dataset.'),
    no: z.int().describe('Its position in the dataset.'),
    input: z.unknown().describe('What the task gets.'),
    expectedOutput: z.unknown().describe('What a right answer is; null without one.'),
    metadata: z.record(z.string(), z.unknown()).nullable().describe('Anything else; null without.'),
    split: z.string().nullable().describe('Its split; null without one.'),
    sourceTraceId: z.string().nullable().describe('Trace that it is from; null without one.'),
    sourceSpanId: z.string().nullable().describe('Span that it is from; null without one.'),
    version: z.int().describe('The version that gave it this content.'),
    createdAt: time.describe('When it got this content, ISO 8601 UTC.'),
  })
  .meta({ id: 'DatasetItem' });
export type DatasetItem = z.infer<typeof datasetItemSchema>;

export const datasetVersionSchema = z
  .object({
    version: z.int().describe('Number, from 1.'),
    added: z.int().describe('Items that it added.'),
    changed: z.int().describe('Items that it changed.'),
    removed: z.int().describe('Items that it removed.'),
    message: z.string().describe('What changed, in a line; may be empty.'),
    createdBy: author,
    createdAt: time.describe('When it was made, ISO 8601 UTC.'),
  })
  .meta({ id: 'DatasetVersion' });
export type DatasetVersion = z.infer<typeof datasetVersionSchema>;

/** What a change of items did. */
export const changeOutcomeSchema = z.object({
  version: z.int().describe('The newest version after the change. The same as before if nothing changed.'),
  added: z.int().describe('Items that were added.'),
  changed: z.int().describe('Items that were changed.'),
  removed: z.int().describe('Items that were removed.'),
  unchanged: z.int().describe('Items that were as sent already.'),
});
export type ChangeOutcome = z.infer<typeof changeOutcomeSchema>;

const datasetParams = z.object({ id: z.string().max(100).describe('Id of the dataset.') });
const project = { auth: 'project' } as const;
const write = { auth: 'project', role: 'member', scopes: ['datasets:write'] } as const;
const versionParam = z.coerce
  .number()
  .int()
  .min(0)
  .max(1e9)
  .optional()
  .describe('Number of a version. Default: the newest.');

export const listDatasetsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/datasets',
  ...project,
  scopes: ['read', 'datasets:write', 'experiments:run'],
  summary: 'List datasets by name',
  query: projectQuery.extend({
    name: textParam(200).describe('Only the dataset with this name.'),
    q: textParam(200).describe('Only datasets with this text in their name or description.'),
    cursor: textParam(1_300).describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: limit(100),
  }),
  reply: z.object({ datasets: z.array(datasetSchema).describe('Datasets, by name.'), nextCursor }),
});

export const createDatasetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/datasets',
  ...write,
  summary: 'Create a dataset',
  query: projectQuery,
  body: newDatasetSchema,
  example: { name: 'Support questions', description: 'Real questions with the answers of our best agents' },
  reply: datasetSchema,
  status: 201,
});

export const getDatasetEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/datasets/:id',
  ...project,
  summary: 'Read a dataset',
  query: projectQuery,
  params: datasetParams,
  reply: datasetSchema,
});

export const putDatasetEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/datasets/:id',
  ...write,
  summary: 'Rename or describe a dataset, or change the schemas of its items',
  query: projectQuery,
  params: datasetParams,
  body: datasetChangeSchema,
  example: { name: 'Support questions', description: 'Questions of November' },
  reply: datasetSchema,
});

export const deleteDatasetEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/datasets/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete a dataset with all its versions',
  description: 'Experiments that ran on it keep their results, but cannot be repeated.',
  query: projectQuery,
  params: datasetParams,
  status: 204,
});

export const listDatasetVersionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/datasets/:id/versions',
  ...project,
  summary: 'List the versions of a dataset, newest first',
  query: projectQuery.extend({ cursor, limit: limit(200) }),
  params: datasetParams,
  reply: z.object({
    versions: z.array(datasetVersionSchema).describe('Versions, newest first.'),
    nextCursor,
  }),
});

export const listItemsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/datasets/:id/items',
  ...project,
  scopes: ['read', 'datasets:write', 'experiments:run'],
  summary: 'List the items of a version in their order',
  query: projectQuery.extend({
    version: versionParam,
    split: splitName.optional().describe('Only items of this split.'),
    q: textParam(200).describe('Only items with this text in input, expected output, metadata or id.'),
    cursor,
    limit: limit(500),
  }),
  params: datasetParams,
  reply: z.object({
    version: z.int().describe('The version that was read.'),
    items: z.array(datasetItemSchema).describe('Items in the order in which they were added.'),
    nextCursor,
  }),
});

export const changeItemsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/datasets/:id/items',
  ...write,
  summary: 'Add, change and remove items: one new version',
  description:
    'An item with the id of a known one replaces its content. A request that changes nothing makes no version.',
  query: projectQuery,
  params: datasetParams,
  body: z
    .strictObject({
      items: z
        .array(newItemSchema)
        .max(MAX_CHANGED)
        .default([])
        .describe(`Items to add or change, up to ${MAX_CHANGED}.`),
      remove: z
        .array(itemId)
        .max(MAX_CHANGED)
        .default([])
        .describe(`Ids of items to remove, up to ${MAX_CHANGED}. Unknown ids are ignored.`),
      message: changeMessage,
    })
    .refine(({ items, remove }) => items.length + remove.length > 0, 'give items or remove'),
  example: {
    items: [{ id: 'q-1', input: { question: 'What is 2 + 2?' }, expectedOutput: '4', split: 'test' }],
    message: 'First question',
  },
  reply: changeOutcomeSchema,
});

export const addStoredEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/datasets/:id/items/stored',
  ...write,
  summary: 'Add stored traces or spans as items: one new version',
  description:
    'Input and output of a trace are those of its root, or where it says nothing of its last call. The id of an item is that of its trace or span, so adding it again changes nothing; erasing its end user deletes it. Needs stored content: traces without are refused, or left out with `skipMissing`.',
  query: projectQuery,
  params: datasetParams,
  body: storedItemsSchema,
  example: { targets: [{ traceId: '5b8efff798038103d269b633813fc60c' }], split: 'test', skipMissing: true },
  reply: changeOutcomeSchema.extend({
    skipped: z.array(z.string()).describe('Ids of the traces without stored content that were left out.'),
  }),
});

/** An import may have as many items as bytes allow. */
export const IMPORT_LIMITS = { maxCompressed: 20_000_000, maxRaw: 32_000_000, encodings: ['gzip'] } as const;
/** Most items of an import. */
export const MAX_IMPORT = 200_000;

export const FILE_FORMATS = ['csv', 'jsonl', 'json'] as const;
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export type FileFormat = (typeof FILE_FORMATS)[number];

export const importReplySchema = z.object({
  rows: z.int().describe('Rows of the file.'),
  valid: z.int().describe('Rows that are items.'),
  errors: z
    .array(
      z.object({
        line: z.int().describe('Line of the file, from 1; for JSON the number of the entry.'),
        error: z.string().describe('What is wrong with it.'),
      }),
    )
    .describe('The first 20 rows that are no items.'),
  columns: z.array(z.string()).describe('Columns of the file, the first 200.'),
  mapping: mappingSchema.describe('What the columns become.'),
  sample: z.array(newItemSchema).describe('The first 5 items.'),
  outcome: changeOutcomeSchema.nullable().describe('What was changed; null for a dry run.'),
});
export type ImportReply = z.infer<typeof importReplySchema>;

export const importItemsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/datasets/:id/import',
  ...write,
  summary: 'Import items from CSV, JSON Lines or JSON: one new version, or none if a row is wrong',
  description: `At most 32 MB (20 MB compressed with gzip) and ${MAX_IMPORT.toLocaleString('en-US')} rows. Without a mapping, columns called \`input\`, \`expectedOutput\` (or \`expected_output\`, \`expected\`), \`metadata\`, \`split\` and \`id\` are used; without a column \`input\`, all other columns become an object. Cells of CSV that are JSON objects or lists are read as such. Other changes of the dataset wait for the import.`,
  rawBody: {
    'text/csv': { example: 'id,question,expected\nq-1,What is 2 + 2?,4\n' },
    'application/x-ndjson': {},
  },
  bodyLimits: IMPORT_LIMITS,
  query: projectQuery.extend({
    format: z.enum(FILE_FORMATS).describe('Format of the body.'),
    mapping: textParam(20_000).describe(
      'JSON object: which columns become `input`, `expectedOutput`, `metadata`, `split` and `id`.',
    ),
    split: splitName.optional().describe('Split of all items without one.'),
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: only check, and show what would be imported. Default: `false`.'),
    skipInvalid: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: import the valid rows of a file with wrong ones. Default: `false`.'),
    message: changeMessage,
  }),
  params: datasetParams,
  reply: importReplySchema,
});

export const exportItemsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/datasets/:id/export',
  ...project,
  summary: 'All items of a version, as CSV or JSON Lines',
  description:
    'A file in JSON Lines can be imported again as it is. In CSV, objects and lists are JSON text, and cells that a spreadsheet could run as a formula begin with an apostrophe.',
  query: projectQuery.extend({
    version: versionParam,
    split: splitName.optional().describe('Only items of this split.'),
    format: z.enum(EXPORT_FORMATS).default('jsonl').describe('Format. Default: `jsonl`.'),
  }),
  params: datasetParams,
});
