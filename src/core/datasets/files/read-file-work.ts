import type { z } from 'zod';
import { badRequest } from '../../../errors.ts';
import type { Work } from '../../../http/work/work.ts';
import { type ItemRow, toItemRow } from '../change/item-row.ts';
import { type FileFormat, type ImportReply, MAX_IMPORT, type Mapping, type NewItem } from '../contract.ts';
import { newItemSchema } from '../input/contract.ts';
import { type ItemSchemas, itemCheck } from '../schemas/item-check.ts';
import { completeMapping, mapRow } from './map-row.ts';
import { type FileRow, readRows } from './read-rows.ts';

export type ReadFile = {
  readonly bytes: Uint8Array;
  readonly format: FileFormat;
  readonly mapping: Mapping;
  /** Of items without one. */
  readonly split?: string | undefined;
  readonly schemas: ItemSchemas;
};
export type FileSummary = Omit<ImportReply, 'outcome'>;
export type FilePiece = { readonly summary: FileSummary } | { readonly items: readonly ItemRow[] };

const PIECE = 200;
const MAX_ERRORS = 20;
const MAX_COLUMNS = 200;
const SAMPLE = 5;

/** Reads a file of items: first what is in it, then the valid items in pieces. */
export const readFileWork: Work<ReadFile, FilePiece> = {
  name: 'datasets.read-file',
  *run(file) {
    const { summary, items } = readItems(file);
    yield { summary };
    for (let from = 0; from < items.length; from += PIECE) yield { items: items.slice(from, from + PIECE) };
  },
};

/** @throws AppError 400 for a file that cannot be read, or with too many rows */
function readItems({ bytes, format, mapping, split, schemas }: ReadFile): {
  summary: FileSummary;
  items: ItemRow[];
} {
  const rows: FileRow[] = [];
  const columns = new Set<string>();
  readRows(bytes, format, (row) => {
    if (rows.length >= MAX_IMPORT)
      throw badRequest(
        `the file has more than ${MAX_IMPORT.toLocaleString('en-US')} rows; import it in parts`,
      );
    rows.push(row);
    if (columns.size < MAX_COLUMNS) for (const name of Object.keys(row.fields)) columns.add(name);
  });
  if (rows.length === 0)
    throw badRequest(
      format === 'csv' ? 'the file has no rows below its header row' : 'the file has no items',
    );
  const names = [...columns].slice(0, MAX_COLUMNS);
  checkMapping(names, mapping);
  const complete = completeMapping(names, mapping);
  const check = itemCheck(schemas);
  const items: ItemRow[] = [];
  const sample: NewItem[] = [];
  const errors: { line: number; error: string }[] = [];
  for (const { line, fields, error } of rows) {
    const read = error === undefined ? readItem(mapRow(fields, complete, split), check) : error;
    if (typeof read === 'string') {
      if (errors.length < MAX_ERRORS) errors.push({ line, error: read });
    } else {
      items.push(toItemRow(read));
      if (sample.length < SAMPLE) sample.push(read);
    }
  }
  const summary = {
    rows: rows.length,
    valid: items.length,
    errors,
    columns: names,
    mapping: complete,
    sample,
  };
  return { summary, items };
}

function checkMapping(
  columns: readonly string[],
  { input, expectedOutput, metadata, split, id }: Mapping,
): void {
  const missing = [input, expectedOutput, metadata, split, id]
    .flat()
    .find((name) => name !== undefined && !columns.includes(name));
  if (missing !== undefined)
    throw badRequest(
      `mapping: the file has no column ${missing}. It has ${columns.slice(0, 20).join(', ') || 'none'}`,
    );
}

/** The item, or what is wrong with it. */
function readItem(fields: object, check: ReturnType<typeof itemCheck>): NewItem | string {
  if (!('input' in fields)) return 'has no input';
  const read = newItemSchema.safeParse(fields);
  if (read.success) return check(read.data) ?? read.data;
  const [issue] = read.error.issues as [z.core.$ZodIssue];
  const path = issue.path.join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
