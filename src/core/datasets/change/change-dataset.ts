import { and, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { conflict, notFound } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { planOf } from '../../orgs/index.ts';
import { PLANS } from '../../plans/index.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import type { ChangeOutcome, Dataset, NewItem } from '../contract.ts';
import { findDataset, isShown } from '../queries.ts';
import { refuseMisfits } from '../schemas/check-work.ts';
import { checkSchemas, type GivenSchemas, type ItemSchemas, schemasText } from '../schemas/item-check.ts';
import { datasetSubject } from '../subject.ts';
import { DELETING, datasets } from '../table.ts';
import { changeItemsOp, type ItemsStep } from './change-op.ts';
import { toItemRow } from './item-row.ts';
import { sweepDatasets } from './sweep-datasets.ts';

/** Who changes the datasets of a project. */
export type DatasetEditor = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  /** Id of the author. */
  readonly by: string;
};

type About = GivenSchemas & { readonly name: string; readonly description: string };

/** Creates an empty dataset. Throws AppError 400 for a schema that cannot be used, 409 for a name that is taken, and for one dataset too many. */
export async function createDataset(ctx: Ctx, by: DatasetEditor, about: About): Promise<Dataset> {
  checkSchemas(about);
  const { organizationId, projectId } = by.scope;
  const now = new Date(ctx.now());
  const id = newId('ds', now.getTime());
  const most = PLANS[await planOf(ctx, organizationId)].datasets;
  const count = sql`(SELECT count(*) FROM datasets WHERE project_id = ${projectId})`;
  const insert = ctx.db.sql.insert(datasets).values({
    // Null, which no dataset can have as its id, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${most})`,
    organizationId,
    projectId,
    ...about,
    version: 0,
    lastNo: 0,
    rows: 0,
    bytes: 0,
    createdBy: by.by,
    createdAt: now,
    updatedAt: now,
  });
  await commit(ctx, by, { action: 'dataset.created', id, name: about.name, most, statement: insert });
  return findDataset(ctx, by.scope, id);
}

/** Renames or describes a dataset, or changes its schemas. Throws AppError 400, 404, 409. */
export async function changeDataset(
  ctx: Ctx,
  by: DatasetEditor,
  { id, ...about }: About & { readonly id: string },
): Promise<Dataset> {
  checkSchemas(about);
  const update = ctx.db.sql
    .update(datasets)
    .set({ ...about, updatedAt: new Date(ctx.now()) })
    .where(isShown(by.scope.projectId, id));
  await commit(ctx, by, { action: 'dataset.updated', id, name: about.name, statement: update });
  return findDataset(ctx, by.scope, id);
}

/** Deletes a dataset with all versions. Throws AppError 404, and 409 while an import runs. */
export async function deleteDataset(ctx: Ctx, by: DatasetEditor, id: string): Promise<void> {
  const { isImporting, name } = await findDataset(ctx, by.scope, id);
  const update = ctx.db.sql
    .update(datasets)
    // The name is free at once; the items go in slices.
    .set({ busy: DELETING, name: id })
    .where(and(isShown(by.scope.projectId, id), sql`${datasets.busy} IS NULL`));
  const changed = await commit(ctx, by, { action: 'dataset.deleted', id, name, statement: update });
  if (changed === 0 && isImporting)
    throw conflict(`An import of ${name} is running; delete the dataset when it has ended`);
  if (changed === 0) throw notFound(`There is no dataset ${id}`);
  await sweepDatasets(ctx, AbortSignal.timeout(60_000), id);
}

type Change = {
  readonly action: string;
  readonly id: string;
  readonly name: string;
  readonly most?: number;
  readonly statement: Parameters<typeof commitChange>[2]['statements'][number];
};

/** @returns how many datasets changed */
async function commit(ctx: Ctx, { scope, actor }: DatasetEditor, change: Change): Promise<number> {
  const { organizationId, projectId } = scope;
  const subject = { of: datasetSubject, id: change.id };
  try {
    const [changed = 0] = await commitChange(ctx, actor, {
      statements: [change.statement],
      audit: [{ action: change.action, organizationId, projectId, subject }],
    });
    return changed;
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.columns.includes('datasets.name'))
      throw conflict(`There is a dataset ${change.name} already; choose another name`);
    if (broken?.columns.includes('datasets.id'))
      throw conflict(
        `A project of this plan has at most ${change.most?.toLocaleString('en-US')} datasets; delete one first`,
      );
    throw error;
  }
}

type Step = {
  readonly datasetId: string;
  readonly step: ItemsStep;
  /** `schemasText` of the schemas that the items were checked with. */
  readonly schemas: string | null;
};

/** Sends a step of a change of items to the writer. Throws AppError 404, 409. */
export async function writeItems(
  ctx: Ctx,
  { scope, actor, by }: DatasetEditor,
  { datasetId, step, schemas }: Step,
): Promise<ChangeOutcome> {
  const { organizationId, projectId, no } = scope;
  const { datasetItems: items, datasetBytes: bytes } = PLANS[await planOf(ctx, organizationId)];
  return ctx.db.writer.write(changeItemsOp, {
    now: ctx.now(),
    actor,
    by,
    organizationId,
    projectId,
    project: no,
    datasetId,
    limits: { items, bytes },
    schemas,
    step,
  });
}

type Wish = {
  readonly datasetId: string;
  readonly items: readonly NewItem[];
  readonly remove: readonly string[];
  readonly message: string;
};

/**
 * Adds, changes and removes items: one version.
 * @throws AppError 400 for an item that does not fit the schemas of the dataset, 404, 409
 */
export async function changeItems(
  ctx: Ctx,
  by: DatasetEditor,
  { datasetId, items, remove, message }: Wish,
): Promise<ChangeOutcome> {
  const schemas = await findDataset(ctx, by.scope, datasetId);
  await refuseMisfits(ctx, by.scope.organizationId, { items, schemas: schemasOf(schemas) });
  const rows = items.map(toItemRow);
  return writeItems(ctx, by, {
    datasetId,
    step: { kind: 'all', items: rows, remove, message },
    schemas: schemasText(schemas),
  });
}

const schemasOf = ({ inputSchema, expectedSchema }: ItemSchemas): ItemSchemas => ({
  inputSchema,
  expectedSchema,
});
