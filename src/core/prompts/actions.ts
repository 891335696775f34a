import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type Actor, defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { deletePrompt, type PromptEditor, setLabel } from './change/change-prompts.ts';
import { MAX_FILES, promptFileSchema } from './files/contract.ts';
import { importPrompts } from './files/import-prompts.ts';
import { labelName, labelVersionSchema, MAX_SPLIT, promptName } from './input/contract.ts';
import { OPERATOR } from './queries.ts';

const editorOf = async (ctx: Ctx, project: string, actor: Actor): Promise<PromptEditor> => ({
  scope: operatorScope(await findProject(ctx, project)),
  actor,
  by: OPERATOR,
  byName: 'the operator',
  isAdmin: true,
});

/** The changes of prompts for the command line. */
export const promptActions = [
  defineAction({
    name: 'prompts.label',
    input: z.object({
      project: idOrName,
      name: promptName,
      label: labelName,
      versions: z.array(labelVersionSchema).min(1).max(MAX_SPLIT).nullable(),
    }),
    run: async (ctx, { project, ...move }, actor) => {
      await setLabel(ctx, await editorOf(ctx, project, actor), move);
      return move;
    },
  }),
  defineAction({
    name: 'prompts.delete',
    input: z.object({ project: idOrName, name: promptName }),
    run: async (ctx, { project, name }, actor) => {
      await deletePrompt(ctx, await editorOf(ctx, project, actor), { name, confirm: name });
      return { name };
    },
  }),
  defineAction({
    name: 'prompts.import',
    input: z.object({
      project: idOrName,
      prompts: z.array(promptFileSchema).max(MAX_FILES),
      dryRun: z.boolean(),
      labels: z.array(labelName).max(10),
      message: z.string().max(500),
    }),
    run: async (ctx, { project, ...wish }, actor) =>
      importPrompts(ctx, await editorOf(ctx, project, actor), wish),
  }),
] as const;
