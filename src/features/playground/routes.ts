import { route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import { runPromptEndpoint } from './contract.ts';
import { renderedMessages } from './rendered-messages.ts';
import { streamCall } from './stream-call.ts';

const runPrompt = route(runPromptEndpoint, async (ctx, input, caller) => {
  const { model, config } = input.body;
  const { messages, prompt, settings } = await renderedMessages(ctx, caller.scope, input.body);
  const call = {
    scope: caller.scope,
    actor: actorOf(caller, input),
    agent: 'playground',
    action: 'model.called',
    model,
    messages,
    config: { ...settings?.config, ...config },
    prompt,
    stream: true,
  };
  return streamCall(ctx, call, input.request.signal);
});

export const playgroundRoutes = [runPrompt];
