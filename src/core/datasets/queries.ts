import { and, desc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import { ofProjects, type ProjectScope } from '../tenancy/index.ts';
import type { Dataset, DatasetVersion } from './contract.ts';
import { countItems, type ItemCounts, type ItemsQuery } from './reads.ts';
import { DELETING, datasets, datasetVersions } from './table.ts';

/** The author of what the operator makes on the command line. */
export const OPERATOR = 'operator';
const MAX_SPLITS = 50;
const timeText = (at: Date): string => formatInstant(at.getTime());
const authorName = (name: string | null, id: string): string | null =>
  name ?? (id === OPERATOR ? 'Operator' : null);

/** A dataset of a project that is not being deleted. */
export const isShown = (projectId: string, id?: string): SQL | undefined =>
  and(
    eq(datasets.projectId, projectId),
    id === undefined ? undefined : eq(datasets.id, id),
    sql`${datasets.busy} IS NOT ${DELETING}`,
  );

type Shown = { readonly where: SQL | undefined; readonly limit: number };

async function readDatasets(ctx: Ctx, scope: ProjectScope, { where, limit }: Shown): Promise<Dataset[]> {
  const rows = await ctx.db.sql
    .select({ dataset: datasets, author: users.name })
    .from(datasets)
    .leftJoin(users, eq(users.id, datasets.createdBy))
    .where(where)
    .orderBy(datasets.name)
    .limit(limit);
  const counted = rows.map(({ dataset: { id, version, busy } }) => ({
    id,
    version,
    isImporting: busy !== null,
  }));
  const counts =
    counted.length === 0 ? [] : (await ctx.db.read(countItems, ofProjects([scope]), counted)).parse();
  const byId = Map.groupBy(counts, ({ datasetId }) => datasetId);
  return rows.map(({ dataset, author }) => toDataset(dataset, author, byId.get(dataset.id) ?? []));
}

function toDataset(
  row: typeof datasets.$inferSelect,
  author: string | null,
  counts: readonly ItemCounts[],
): Dataset {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    inputSchema: row.inputSchema as Record<string, unknown> | null,
    expectedSchema: row.expectedSchema as Record<string, unknown> | null,
    version: row.version,
    items: counts.reduce((sum, { items }) => sum + items, 0),
    splits: counts.slice(0, MAX_SPLITS).map(({ split, items }) => ({ name: split, items })),
    bytes: row.bytes,
    isImporting: row.busy !== null,
    createdBy: authorName(author, row.createdBy),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  };
}

type ListQuery = {
  readonly name?: string | undefined;
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** A page of datasets by name. The cursor is the last name. */
export async function listDatasets(
  ctx: Ctx,
  scope: ProjectScope,
  { name, q, cursor, limit }: ListQuery,
): Promise<{ datasets: Dataset[]; nextCursor: string | null }> {
  const has = (column: SQL | typeof datasets.name): SQL =>
    sql`instr(lower(${column}), ${q?.toLowerCase() ?? ''}) > 0`;
  const found = await readDatasets(ctx, scope, {
    limit: limit + 1,
    where: and(
      isShown(scope.projectId),
      name === undefined ? undefined : eq(datasets.name, name),
      q === undefined ? undefined : sql`(${has(datasets.name)} OR ${has(sql`${datasets.description}`)})`,
      cursor === undefined ? undefined : gt(datasets.name, cursor),
    ),
  });
  const page = found.slice(0, limit);
  return { datasets: page, nextCursor: found.length > limit ? (page.at(-1)?.name ?? null) : null };
}

/** Throws AppError 404. */
export async function findDataset(ctx: Ctx, scope: ProjectScope, id: string): Promise<Dataset> {
  const [found] = await readDatasets(ctx, scope, { where: isShown(scope.projectId, id), limit: 1 });
  if (found === undefined) throw notFound(`There is no dataset ${id}`);
  return found;
}

/** A dataset by its id or name. Throws AppError 404. */
export async function findDatasetNamed(ctx: Ctx, scope: ProjectScope, idOrName: string): Promise<Dataset> {
  const isIt = sql`(${datasets.id} = ${idOrName} OR ${datasets.name} = ${idOrName.normalize('NFC')})`;
  const [found] = await readDatasets(ctx, scope, { where: and(isShown(scope.projectId), isIt), limit: 1 });
  if (found === undefined) throw notFound(`There is no dataset ${idOrName}`);
  return found;
}

/** Names of datasets by their ids. */
export async function readNames(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.sql
    .select({ id: datasets.id, name: datasets.name })
    .from(datasets)
    .where(and(inArray(datasets.id, [...new Set(ids)]), sql`${datasets.busy} IS NOT ${DELETING}`));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The version to read: the asked one, or the newest.
 * @throws AppError 400 for one that does not exist
 */
function versionOf({ name, version }: Pick<Dataset, 'name' | 'version'>, asked?: number): number {
  if (asked === undefined) return version;
  if (asked > version || asked < 1)
    throw badRequest(
      `version: ${name} ${version === 0 ? 'has no version yet' : `has the versions 1 to ${version}`}`,
    );
  return asked;
}

/** Where `listItems` finds a version; the newest if none is asked for. Throws AppError 400. */
export function placeOf(
  dataset: Dataset,
  asked?: number,
): Pick<ItemsQuery, 'datasetId' | 'version' | 'isNewest'> {
  const version = versionOf(dataset, asked);
  return { datasetId: dataset.id, version, isNewest: version === dataset.version && !dataset.isImporting };
}

type VersionsQuery = { readonly id: string; readonly cursor?: string | undefined; readonly limit: number };

/** A page of versions, newest first. The cursor is the last number. */
export async function listDatasetVersions(
  ctx: Ctx,
  scope: ProjectScope,
  { id, cursor, limit }: VersionsQuery,
): Promise<{ versions: DatasetVersion[]; nextCursor: string | null }> {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
    throw badRequest('cursor was not returned by this endpoint');
  await findDataset(ctx, scope, id);
  const rows = await ctx.db.sql
    .select({ row: datasetVersions, author: users.name })
    .from(datasetVersions)
    .leftJoin(users, eq(users.id, datasetVersions.createdBy))
    .where(
      and(
        eq(datasetVersions.datasetId, id),
        cursor === undefined ? undefined : lt(datasetVersions.version, Number(cursor)),
      ),
    )
    .orderBy(desc(datasetVersions.version))
    .limit(limit + 1);
  const page = rows.slice(0, limit).map(({ row, author }) => ({
    version: row.version,
    added: row.added,
    changed: row.changed,
    removed: row.removed,
    message: row.message,
    createdBy: authorName(author, row.createdBy),
    createdAt: timeText(row.createdAt),
  }));
  return {
    versions: page,
    nextCursor: rows.length > limit ? String(page.at(-1)?.version ?? '') : null,
  };
}
