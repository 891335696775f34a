import { route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { runPromptEndpoint } from './contract.ts';
import { streamCall } from './stream-call.ts';

const runPrompt = route(runPromptEndpoint, (ctx, input, caller) => {
  const { model, messages, config } = input.body;
  const call = {
    scope: caller.scope,
    actor: actorOf(caller, input),
    agent: 'playground',
    action: 'model.called',
    model,
    messages,
    config,
    prompt: null,
    stream: true,
  };
  return streamCall(ctx, call, input.request.signal);
});

export const playgroundRoutes = [runPrompt];
