import { badRequest } from '../../errors.ts';
import { readBody } from '../../http/body/read-body.ts';
import { actorOf } from '../../module.ts';
import { type Callers, ofProjects, route } from '../tenancy/index.ts';
import {
  changeDataset,
  changeItems,
  createDataset,
  type DatasetEditor,
  deleteDataset,
} from './change/change-dataset.ts';
import {
  addStoredEndpoint,
  changeItemsEndpoint,
  createDatasetEndpoint,
  deleteDatasetEndpoint,
  exportItemsEndpoint,
  getDatasetEndpoint,
  IMPORT_LIMITS,
  importItemsEndpoint,
  listDatasetsEndpoint,
  listDatasetVersionsEndpoint,
  listItemsEndpoint,
  type Mapping,
  putDatasetEndpoint,
} from './contract.ts';
import { exportItems } from './files/export-items.ts';
import { importItems, importShare } from './files/import-items.ts';
import { mappingSchema } from './input/contract.ts';
import { findDataset, listDatasets, listDatasetVersions, placeOf } from './queries.ts';
import { listItems, positionOf } from './reads.ts';
import { addStored } from './stored/add-stored.ts';

type Asked = { readonly request: Request; readonly address: string | null };
const editorOf = (caller: Callers['project'], input: Asked): DatasetEditor => ({
  scope: caller.scope,
  actor: actorOf(caller, input),
  by: caller.userId,
});

/** Throws AppError 400. */
function mappingOf(text: string | undefined): Mapping {
  if (text === undefined) return {};
  try {
    const read = mappingSchema.safeParse(JSON.parse(text));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw badRequest(`mapping: ${issue?.path.join('.')} ${issue?.message}`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest('mapping: must be a JSON object like {"input":"question","expectedOutput":"answer"}');
  }
}

const reads = [
  route(listDatasetsEndpoint, (ctx, { query }, { scope }) => listDatasets(ctx, scope, query)),
  route(getDatasetEndpoint, (ctx, { params }, { scope }) => findDataset(ctx, scope, params.id)),
  route(listDatasetVersionsEndpoint, (ctx, { params, query: { cursor, limit } }, { scope }) =>
    listDatasetVersions(ctx, scope, { id: params.id, cursor, limit }),
  ),
  route(listItemsEndpoint, async (ctx, { params, query }, { scope }) => {
    const { split, q, cursor, limit } = query;
    const place = placeOf(await findDataset(ctx, scope, params.id), query.version);
    const asked = { ...place, split, q, after: positionOf(cursor), limit };
    const { items, next } = (await ctx.db.read(listItems, ofProjects([scope]), asked)).parse();
    return {
      version: place.version,
      items: items.map(({ userId: _, ...item }) => item),
      nextCursor: next === null ? null : String(next),
    };
  }),
  route(exportItemsEndpoint, (ctx, { params, query: { version, split, format } }, { scope }) =>
    exportItems(ctx, scope, { datasetId: params.id, version, split, format }),
  ),
];

const writes = [
  route(createDatasetEndpoint, (ctx, input, caller) =>
    createDataset(ctx, editorOf(caller, input), input.body),
  ),
  route(putDatasetEndpoint, (ctx, input, caller) =>
    changeDataset(ctx, editorOf(caller, input), { ...input.body, id: input.params.id }),
  ),
  route(deleteDatasetEndpoint, async (ctx, input, caller) => {
    await deleteDataset(ctx, editorOf(caller, input), input.params.id);
    return null;
  }),
  route(changeItemsEndpoint, (ctx, input, caller) =>
    changeItems(ctx, editorOf(caller, input), { ...input.body, datasetId: input.params.id }),
  ),
  route(addStoredEndpoint, (ctx, input, caller) =>
    addStored(ctx, editorOf(caller, input), { ...input.body, datasetId: input.params.id }),
  ),
  route(importItemsEndpoint, (ctx, input, caller) => {
    const { format, split, dryRun, skipInvalid, message } = input.query;
    const mapping = mappingOf(input.query.mapping);
    return ctx.use(importShare).run(caller.scope.organizationId, async () =>
      importItems(ctx, editorOf(caller, input), {
        datasetId: input.params.id,
        dryRun: dryRun === 'true',
        skipInvalid: skipInvalid === 'true',
        message,
        file: { bytes: await readBody(input.request, IMPORT_LIMITS), format, mapping, split },
      }),
    );
  }),
];

export const datasetRoutes = [...reads, ...writes];
