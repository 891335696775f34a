import { z } from 'zod';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { defineAction } from '../../module.ts';
import { applyRepricing, createRepricing, undoRepricing } from './change.ts';
import { repricingRequestSchema } from './contract.ts';
import { findRepricing, toReply } from './queries.ts';
import { finishRepricing } from './run.ts';

const one = z.object({ id: z.string().min(1).max(100) });

/** `repricings.create`: starts a dry run and resolves when it is finished. */
export const createRepricingAction = defineAction({
  name: 'repricings.create',
  input: z.object({ project: idOrName, request: repricingRequestSchema }),
  run: async (ctx, { project, request }, actor) => {
    const scope = operatorScope(await findProject(ctx, project));
    const { id } = await createRepricing(ctx, actor, { scope, request });
    return toReply(await finishRepricing(ctx, id), true);
  },
});

/** `repricings.apply`: resolves when all changes are applied. */
export const applyRepricingAction = defineAction({
  name: 'repricings.apply',
  input: one,
  run: async (ctx, { id }, actor) => {
    await applyRepricing(ctx, actor, await findRepricing(ctx, id));
    return toReply(await finishRepricing(ctx, id), true);
  },
});

/** `repricings.undo`: resolves when every event has its previous cost. */
export const undoRepricingAction = defineAction({
  name: 'repricings.undo',
  input: one,
  run: async (ctx, { id }, actor) => {
    await undoRepricing(ctx, actor, await findRepricing(ctx, id));
    return toReply(await finishRepricing(ctx, id), true);
  },
});
