import type { Ctx, Service } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { createShare } from '../../../http/share.ts';
import type { Running } from '../../../http/work/work.ts';
import type { FairGate } from '../../../lib/fair-gate.ts';
import { type DatasetEditor, writeItems } from '../change/change-dataset.ts';
import { undoImport } from '../change/sweep-datasets.ts';
import type { ChangeOutcome, ImportReply } from '../contract.ts';
import { findDataset } from '../queries.ts';
import { type ItemSchemas, schemasText } from '../schemas/item-check.ts';
import { type FilePiece, type ReadFile, readFileWork } from './read-file-work.ts';

/** A file of up to 32 MB is in memory, with its items. */
export const importShare: Service<FairGate> = {
  name: 'datasets.imports',
  open: () => createShare('imports', { running: { total: 2, each: 1 }, waiting: { total: 4, each: 1 } }),
};

type Wish = {
  readonly datasetId: string;
  readonly dryRun: boolean;
  readonly skipInvalid: boolean;
  readonly message: string;
  /** For a dry run: schemas in the place of the dataset's. */
  readonly schemas?: Partial<ItemSchemas>;
};

/**
 * Imports a file as one version: its rows are written in slices that nobody sees before the last one.
 * @throws AppError 400 for a file that cannot be read or has wrong rows, 404, 409
 */
export async function importItems(
  ctx: Ctx,
  by: DatasetEditor,
  { file, ...wish }: Wish & { readonly file: Omit<ReadFile, 'schemas'> },
): Promise<ImportReply> {
  const dataset = await findDataset(ctx, by.scope, wish.datasetId);
  const { inputSchema, expectedSchema } = { ...dataset, ...wish.schemas };
  const schemas = { inputSchema, expectedSchema };
  if (wish.dryRun) return tryFile(ctx, { ...file, schemas });
  const work = ctx.workers.start(readFileWork, { ...file, schemas });
  try {
    const summary = await summaryOf(work);
    if (summary.errors.length > 0 && !wish.skipInvalid)
      throw badRequest(
        `${summary.rows - summary.valid} of ${summary.rows} rows are no items, the first in line ${summary.errors[0]?.line}: ${summary.errors[0]?.error}. Correct the file, or set skipInvalid=true`,
      );
    return {
      ...summary,
      outcome: await writeFile(ctx, by, { ...wish, work, schemasText: schemasText(schemas) }),
    };
  } finally {
    work.stop();
  }
}

/** What an import would say, without a change. */
export async function tryFile(ctx: Ctx, file: ReadFile): Promise<ImportReply> {
  const work = ctx.workers.start(readFileWork, file);
  try {
    return { ...(await summaryOf(work)), outcome: null };
  } finally {
    work.stop();
  }
}

async function summaryOf(work: Running<FilePiece, void>): Promise<Omit<ImportReply, 'outcome'>> {
  const first = await work.next();
  if (first === undefined || !('summary' in first)) throw new Error('a file has a summary');
  return first.summary;
}

type Writing = Wish & { readonly work: Running<FilePiece, void>; readonly schemasText: string | null };

async function writeFile(ctx: Ctx, by: DatasetEditor, wish: Writing): Promise<ChangeOutcome> {
  const { datasetId, work, message, schemasText: schemas } = wish;
  const name = Bun.randomUUIDv7();
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 };
  const { version } = await writeItems(ctx, by, { datasetId, step: { kind: 'begin', name }, schemas });
  try {
    for (let piece = await work.next(); piece !== undefined; piece = await work.next()) {
      if (!('items' in piece)) continue;
      const step = { kind: 'slice', name, items: piece.items } as const;
      const written = await writeItems(ctx, by, { datasetId, step, schemas });
      counts.added += written.added;
      counts.changed += written.changed;
      counts.unchanged += written.unchanged;
    }
    return await writeItems(ctx, by, {
      datasetId,
      step: { kind: 'finish', name, counts, message },
      schemas,
    });
  } catch (error) {
    await undoImport(ctx, { datasetId, name, version: version + 1 }, AbortSignal.timeout(60_000));
    throw error;
  }
}
