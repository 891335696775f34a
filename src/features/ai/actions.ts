import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { type Actor, defineAction } from '../../module.ts';
import { APPLIED_AS, MAX_REASON } from './recommendations/contract.ts';
import { type Decider, decide, reopen } from './recommendations/decide.ts';

const about = { project: idOrName, id: z.string().min(1).max(2_000) };

const deciderOf = async (ctx: Ctx, project: string, actor: Actor): Promise<Decider> => ({
  scope: operatorScope(await findProject(ctx, project)),
  userId: null,
  actor,
});

/** The decisions about recommendations for the command line. */
export const aiActions = [
  defineAction({
    name: 'recommendations.dismiss',
    input: z.object({ ...about, reason: lineOfText(MAX_REASON) }),
    run: async (ctx, { project, id, reason }, actor) =>
      decide(ctx, await deciderOf(ctx, project, actor), id, { state: 'dismissed', reason }),
  }),
  defineAction({
    name: 'recommendations.apply',
    input: z.object({ ...about, as: z.enum(APPLIED_AS) }),
    run: async (ctx, { project, id, as }, actor) =>
      decide(ctx, await deciderOf(ctx, project, actor), id, { state: 'applied', as }),
  }),
  defineAction({
    name: 'recommendations.reopen',
    input: z.object(about),
    run: async (ctx, { project, id }, actor) => reopen(ctx, await deciderOf(ctx, project, actor), id),
  }),
];
