import { z } from 'zod';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from '../projects/index.ts';
import { operatorScope } from '../tenancy/index.ts';
import { callModel } from './call-model.ts';
import { modelIdSchema } from './contract.ts';
import { listModels } from './list-models.ts';

/** Output tokens of a test: enough for a word, also for models that reason. */
const TEST_TOKENS = 256;

/** What the command line does with models, by the configuration of the running server. */
export const modelActions = [
  defineAction({
    name: 'models.list',
    input: z.object({ project: idOrName }),
    run: async (ctx, { project }) => listModels(ctx, await findProject(ctx, project)),
  }),
  defineAction({
    name: 'models.test',
    input: z.object({ project: idOrName, model: modelIdSchema, message: z.string().min(1).max(100_000) }),
    run: async (ctx, { project, model, message }, actor) =>
      callModel(ctx, {
        scope: operatorScope(await findProject(ctx, project)),
        actor,
        agent: 'test',
        action: 'model.called',
        model,
        messages: [{ role: 'user', content: message }],
        config: { maxOutputTokens: TEST_TOKENS },
        prompt: null,
        stream: true,
      }),
  }),
] as const;
