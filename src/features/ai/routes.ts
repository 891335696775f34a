import { route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { askInProject } from './ask/ask.ts';
import { askEndpoint } from './ask/contract.ts';
import type { Meaning } from './ask/question.ts';

const askQuestion = route(askEndpoint, (ctx, input, caller) => {
  const { question, timeZone, context, model } = input.body;
  return askInProject(
    ctx,
    caller.scope,
    { question, timeZone, context: context as Meaning | undefined, now: ctx.now() },
    {
      scope: caller.scope,
      actor: actorOf(caller, input),
      role: caller.role,
      model,
      signal: input.request.signal,
    },
  );
});

export const aiRoutes = [askQuestion];
