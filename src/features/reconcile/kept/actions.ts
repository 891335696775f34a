import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { idOrName } from '../../../core/orgs/contract.ts';
import { findProject } from '../../../core/projects/index.ts';
import { operatorScope } from '../../../core/tenancy/index.ts';
import { type Actor, defineAction } from '../../../module.ts';
import { reconciliationSchema } from '../contract.ts';
import { nameSchema, noteSchema } from './contract.ts';
import { changeNote, deleteKept, type Keeper, keepReconciliation } from './keep.ts';

const id = z.string().min(1).max(100);

const keeperOf = async (ctx: Ctx, project: string, actor: Actor): Promise<Keeper> => ({
  scope: operatorScope(await findProject(ctx, project)),
  actor,
});

/** `reconciliations.keep`: a comparison that the command line made. */
export const keepAction = defineAction({
  name: 'reconciliations.keep',
  input: z.object({ project: idOrName, name: nameSchema, note: noteSchema, result: reconciliationSchema }),
  run: async (ctx, { project, ...given }, actor) => {
    const { result: _lines, ...kept } = await keepReconciliation(
      ctx,
      await keeperOf(ctx, project, actor),
      given,
    );
    return kept;
  },
});

/** `reconciliations.note`. */
export const noteAction = defineAction({
  name: 'reconciliations.note',
  input: z.object({ project: idOrName, id, note: noteSchema }),
  run: async (ctx, { project, ...given }, actor) =>
    changeNote(ctx, await keeperOf(ctx, project, actor), given),
});

/** `reconciliations.remove`. */
export const removeAction = defineAction({
  name: 'reconciliations.remove',
  input: z.object({ project: idOrName, id }),
  run: async (ctx, { project, id: removed }, actor) => {
    await deleteKept(ctx, await keeperOf(ctx, project, actor), removed);
    return { id: removed };
  },
});
