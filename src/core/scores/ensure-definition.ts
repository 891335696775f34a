import type { Ctx } from '../../context.ts';
import { conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { DefinitionInput } from './contract.ts';
import { createDefinition, listDefinitions } from './definitions.ts';

/** The part of a definition that an evaluator knows. */
export type WantedDefinition = Pick<
  DefinitionInput,
  'name' | 'type' | 'min' | 'max' | 'categories' | 'direction'
>;

/**
 * Creates a definition of scores, unless there is one.
 * @throws AppError 409 if the one that there is refuses such scores
 */
export async function ensureDefinition(
  ctx: Ctx,
  by: { readonly scope: ProjectScope; readonly actor: Actor },
  wanted: WantedDefinition,
): Promise<void> {
  const known = (await listDefinitions(ctx, by.scope.projectId)).find(({ name }) => name === wanted.name);
  if (known === undefined) {
    await createDefinition(ctx, by, { description: '', ...wanted });
    return;
  }
  const { name, type, categories } = known;
  if (type !== wanted.type)
    throw conflict(
      `The score ${name} is of type ${type}, but the evaluator gives ${wanted.type}; give the evaluator another score name`,
    );
  const missing =
    categories === null ? [] : (wanted.categories ?? []).filter((one) => !categories.includes(one));
  if (missing.length > 0)
    throw conflict(`The score ${name} has no category ${missing.join(', ')}; add it to the definition first`);
}
