import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import {
  FILE_FORMATS,
  type FileFormat,
  IMPORT_LIMITS,
  importReplySchema,
} from '../../src/core/datasets/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';

export const datasetsImport = defineCommand({
  name: 'datasets import',
  summary: 'Import items from a CSV, JSON Lines or JSON file as a new version',
  args: {
    dataset: { summary: 'Name or id of the dataset' },
    file: { summary: 'The file; its end (.csv, .jsonl, .json) is its format' },
  },
  options: {
    ...projectOption,
    format: { value: 'FORMAT', choices: FILE_FORMATS, summary: 'Format, where the name does not say it' },
    map: {
      value: 'PART=COLUMN',
      repeat: true,
      summary: 'Column of input, expectedOutput, metadata, split or id; several give an object',
    },
    split: { value: 'SPLIT', summary: 'Split of items without one' },
    create: { summary: 'Create the dataset if there is none' },
    skipInvalid: { summary: 'Leave wrong rows out; otherwise they refuse the file' },
    inputSchema: { value: 'FILE', summary: 'JSON Schema that inputs must fit from now on' },
    expectedSchema: { value: 'FILE', summary: 'The same for expected outputs' },
    dryRun: { summary: 'Show what would be imported, and change nothing' },
    message: { value: 'TEXT', summary: 'What changed', short: 'm' },
  },
  examples: [
    'spanledger datasets import sentiment new.csv --map input=text --dry-run',
    'spanledger datasets import sentiment reviews.jsonl --create -m "First reviews"',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { map, create, skipInvalid, dryRun, split, message = '' } = options;
    const format = options.format ?? formatOf(args.file);
    const content = Buffer.from(Bun.gzipSync(readBytes(args.file))).toString('base64');
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const mapping = mappingOf(map);
    const input = { project, dataset: args.dataset, create, format, content, mapping, split };
    const doc = await act(ctx, {
      action: 'datasets.import',
      input: { ...input, dryRun, skipInvalid, message, ...schemasOf(options) },
      reply: importReplySchema,
    });
    output.result(doc, () => {
      for (const { line, error } of doc.errors) output.raw(`line ${line}: ${error}\n`);
      if (doc.outcome === null) return output.success(`${doc.valid} of ${doc.rows} rows would be imported`);
      const { version, added, changed, unchanged } = doc.outcome;
      output.success(`Version ${version}: ${added} added, ${changed} changed, ${unchanged} as before`);
    });
  },
});

type SchemaFiles = { readonly inputSchema: string | undefined; readonly expectedSchema: string | undefined };

/** The schemas in the files of the options. */
const schemasOf = ({ inputSchema, expectedSchema }: SchemaFiles): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ inputSchema, expectedSchema }).flatMap(([name, file]) =>
      file === undefined ? [] : [[name, readSchema(file)]],
    ),
  );

function readSchema(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw usageError(`${file} is not a JSON file`, 'Pass the path of a file with a JSON Schema');
  }
}

const ENDS: Readonly<Record<string, FileFormat>> = { '.csv': 'csv', '.jsonl': 'jsonl', '.json': 'json' };

function formatOf(file: string): FileFormat {
  const format = ENDS[extname(file).toLowerCase()];
  if (format === undefined)
    throw usageError(`The format of ${file} is unknown`, `Pass --format ${FILE_FORMATS.join('|')}`);
  return format;
}

function readBytes(file: string): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(file));
  } catch {
    throw usageError(`Cannot read ${file}`, 'Pass the path of a file');
  }
  if (bytes.length > IMPORT_LIMITS.maxRaw)
    throw usageError(`${file} has more than ${IMPORT_LIMITS.maxRaw / 1e6} MB`, 'Import it in parts');
  return bytes;
}

const PARTS = ['input', 'expectedOutput', 'metadata', 'split', 'id'] as const;

function mappingOf(given: readonly string[]): Record<string, string | string[]> {
  const columns: Record<string, string[]> = {};
  for (const text of given) {
    const [part = '', ...rest] = text.split('=');
    if (!(PARTS as readonly string[]).includes(part) || rest.length === 0)
      throw usageError(`--map ${text} is not PART=COLUMN`, `PART is one of ${PARTS.join(', ')}`);
    columns[part] = [...(columns[part] ?? []), rest.join('=')];
  }
  return Object.fromEntries(
    Object.entries(columns).map(([part, names]) => [
      part,
      part === 'metadata' || names.length > 1 ? names : (names[0] ?? ''),
    ]),
  );
}
