import { z } from 'zod';
import { callModel } from '../../core/models/index.ts';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { defineAction } from '../../module.ts';
import { runPromptEndpoint } from './contract.ts';
import { renderedMessages } from './rendered-messages.ts';

const { model, variables, config } = runPromptEndpoint.body.shape;

/** What the command line does with prompts and models, by the configuration of the running server. */
export const playgroundActions = [
  defineAction({
    name: 'prompts.run',
    input: z.object({
      project: idOrName,
      prompt: runPromptEndpoint.body.shape.prompt.unwrap(),
      model: model.nullable(),
      variables,
      config,
    }),
    run: async (ctx, { project, prompt, variables: values, ...input }, actor) => {
      const scope = operatorScope(await findProject(ctx, project));
      const { messages, settings, ...rendered } = await renderedMessages(ctx, scope, {
        prompt,
        variables: values,
      });
      const chosen = input.model ?? settings?.model ?? null;
      if (chosen === null)
        throw badRequest('The version names no model that the server may call; name one with --model');
      return callModel(ctx, {
        scope,
        actor,
        agent: 'playground',
        action: 'model.called',
        model: chosen,
        messages,
        config: { ...settings?.config, ...input.config },
        prompt: rendered.prompt,
        stream: true,
      });
    },
  }),
] as const;
