import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { AppError, badRequest } from '../../errors.ts';
import { type Actor, defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { changeDataset, changeItems, createDataset, type DatasetEditor } from './change/change-dataset.ts';
import { FILE_FORMATS, IMPORT_LIMITS } from './contract.ts';
import { importItems, importShare, tryFile } from './files/import-items.ts';
import {
  changeMessage,
  datasetName,
  MAX_CHANGED,
  mappingSchema,
  newDatasetSchema,
  newItemSchema,
  splitName,
} from './input/contract.ts';
import { findDatasetNamed, OPERATOR } from './queries.ts';
import { checkSchemas, type GivenSchemas, type ItemSchemas } from './schemas/item-check.ts';

const place = { project: idOrName, dataset: datasetName, create: z.boolean().default(false) };
type Place = z.output<z.ZodObject<typeof place>>;

/** The editor, and the dataset by its id or name; with `create` a new one if there is none of the name. */
async function openDataset(
  ctx: Ctx,
  { project, dataset, create }: Place,
  actor: Actor,
): Promise<{ by: DatasetEditor; id: string }> {
  const scope = operatorScope(await findProject(ctx, project));
  const by = { scope, actor, by: OPERATOR };
  try {
    return { by, id: (await findDatasetNamed(ctx, scope, dataset)).id };
  } catch (error) {
    if (!create) throw error;
    return { by, id: (await createDataset(ctx, by, { name: dataset, description: '' })).id };
  }
}

/** The schemas that are given. Throws AppError 400 for one that is none. */
function checkedSchemas({ inputSchema, expectedSchema }: GivenSchemas): Partial<ItemSchemas> {
  const given = {
    ...(inputSchema !== undefined && { inputSchema }),
    ...(expectedSchema !== undefined && { expectedSchema }),
  };
  checkSchemas(given);
  return given;
}

type Wish = GivenSchemas & { readonly id: string; readonly dryRun: boolean };

/** Gives a dataset schemas, unless it is a dry run. Returns those that are given. Throws AppError 400. */
async function takeSchemas(
  ctx: Ctx,
  by: DatasetEditor,
  { id, dryRun, ...schemas }: Wish,
): Promise<Partial<ItemSchemas>> {
  const given = checkedSchemas(schemas);
  if (dryRun || Object.keys(given).length === 0) return given;
  const { name, description } = await findDatasetNamed(ctx, by.scope, id);
  await changeDataset(ctx, by, { id, name, description, ...given });
  return given;
}

/** Changes that the command line makes. */
export const datasetActions = [
  defineAction({
    name: 'datasets.import',
    input: z.object({
      ...place,
      format: z.enum(FILE_FORMATS),
      /** The file, compressed with gzip, in base64. */
      content: z.base64().max(2 * IMPORT_LIMITS.maxCompressed),
      mapping: mappingSchema,
      split: splitName.optional(),
      dryRun: z.boolean().default(false),
      skipInvalid: z.boolean().default(false),
      message: changeMessage,
      /** Become the schemas of the dataset first; a dry run only checks with them. */
      inputSchema: newDatasetSchema.shape.inputSchema,
      expectedSchema: newDatasetSchema.shape.expectedSchema,
    }),
    run: async (ctx, { format, content, mapping, split, ...input }, actor) => {
      const bytes = Bun.gunzipSync(Buffer.from(content, 'base64'));
      if (bytes.length > IMPORT_LIMITS.maxRaw)
        throw badRequest(`the file has more than ${IMPORT_LIMITS.maxRaw / 1e6} MB; import it in parts`);
      const { dryRun, skipInvalid, message } = input;
      const file = { bytes, format, mapping, split };
      const of = await openDataset(ctx, { ...input, create: input.create && !dryRun }, actor).catch(
        (error: unknown) => {
          if (dryRun && input.create && error instanceof AppError && error.status === 404) return null;
          throw error;
        },
      );
      // A dry run of a dataset that would be created.
      if (of === null)
        return tryFile(ctx, {
          ...file,
          schemas: { inputSchema: null, expectedSchema: null, ...checkedSchemas(input) },
        });
      const { by, id } = of;
      const schemas = await takeSchemas(ctx, by, { id, ...input });
      return ctx
        .use(importShare)
        .run(by.scope.organizationId, () =>
          importItems(ctx, by, { datasetId: id, dryRun, skipInvalid, message, file, schemas }),
        );
    },
  }),
  defineAction({
    name: 'datasets.add-items',
    input: z.object({
      ...place,
      items: z.array(newItemSchema).min(1).max(MAX_CHANGED),
      message: changeMessage,
    }),
    run: async (ctx, { items, message, ...input }, actor) => {
      const { by, id } = await openDataset(ctx, input, actor);
      return changeItems(ctx, by, { datasetId: id, items, remove: [], message });
    },
  }),
] as const;
