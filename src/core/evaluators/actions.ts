import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { modelIdSchema } from '../models/contract.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { measureJudge } from './measure/measure-judge.ts';

/** What the command line does with evaluators. */
export const evaluatorActions = [
  defineAction({
    name: 'evaluators.measure',
    input: z.object({ project: idOrName, judge: z.string().min(1).max(60), model: modelIdSchema }),
    run: async (ctx, { project, ...asked }, actor) =>
      measureJudge(ctx, { scope: operatorScope(await findProject(ctx, project)), actor }, asked),
  }),
] as const;
