import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type Actor, defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { createGuardrail, deleteGuardrail, type GuardrailEditor } from './change-guardrails.ts';
import { guardrailInput } from './input/contract.ts';
import { toGuardrail } from './queries.ts';

const editorOf = async (ctx: Ctx, project: string, actor: Actor): Promise<GuardrailEditor> => ({
  scope: operatorScope(await findProject(ctx, project)),
  actor,
  by: 'operator',
  role: 'owner',
});

export const createGuardrailAction = defineAction({
  name: 'guardrails.create',
  input: z.object({ project: idOrName, guardrail: guardrailInput }),
  run: async (ctx, { project, guardrail }, actor) =>
    toGuardrail(await createGuardrail(ctx, await editorOf(ctx, project, actor), guardrail)),
});

/** The changes of guardrails for the command line. */
export const guardrailActions = [
  createGuardrailAction,
  defineAction({
    name: 'guardrails.delete',
    input: z.object({ project: idOrName, id: z.string().min(1).max(100) }),
    run: async (ctx, { project, id }, actor) => {
      await deleteGuardrail(ctx, await editorOf(ctx, project, actor), id);
      return { id };
    },
  }),
] as const;
