import type { Ctx } from '../../../context.ts';
import type { ChatMessage } from '../../../core/models/contract.ts';
import { askModel } from '../../../core/models/index.ts';
import { compileVersions } from '../../../core/prompts/index.ts';
import { AppError, badRequest } from '../../../errors.ts';
import { renderPrompt } from '../../../lib/prompts/fill-template.ts';
import { TemplateError } from '../../../lib/prompts/parse-template.ts';
import type { Message } from '../../../lib/simulations/conversation/run-conversation.ts';
import type { Reply, Target, ToolCall } from '../../../lib/simulations/definition.ts';
import type { Place, RunContext } from './place.ts';
import { toChat } from './to-chat.ts';
import { resultOf } from './tool-result.ts';

type PromptTarget = Extract<Target, { readonly kind: 'prompt' }>;
type Sending = { readonly place: Place; readonly target: PromptTarget; readonly message: Message };

const MAX_STEPS = 8;

/** Asks the model of a prompt; tools that the suite answers are answered. Throws AppError 429 and 503, as `askModel`. */
export async function sendPrompt(
  ctx: Ctx,
  { run, scope, signal }: RunContext,
  { place, target, message }: Sending,
): Promise<Reply> {
  const resolved = run.prompts[place.conversation.place];
  if (resolved === undefined) throw badRequest('The run has no version of the prompt');
  const { toolResults = {} } = target;
  const messages = await firstMessages(ctx, scope.projectId, { target, message, version: resolved.version });
  const made: ToolCall[] = [];
  const total = { latencyMs: 0, nano: 0 as number | null };
  const traceId = place.trace(message.turn);
  for (let step = 1; ; step++) {
    const answered = await askModel(
      ctx,
      {
        scope,
        actor: { kind: 'system', name: 'simulations.run' },
        agent: 'simulation',
        action: 'model.called',
        model: resolved.model,
        messages,
        config: resolved.config,
        prompt: { name: target.prompt, version: String(resolved.version) },
        key: place.key(`${message.turn}/target/${step}`),
        traceId,
        tags: { simulation: run.id, role: 'target' },
      },
      { signal },
    ).catch((error: unknown) => {
      if (isGeneral(error)) throw error;
      return (error as AppError).message;
    });
    if (typeof answered === 'string')
      return {
        text: '',
        toolCalls: made,
        latencyMs: total.latencyMs,
        costUsd: usdOf(total.nano),
        traceId,
        error: answered,
      };
    const last = answered.calls.at(-1);
    if (last?.status === 'cancelled') signal.throwIfAborted();
    total.latencyMs += answered.calls.reduce((sum, { latencyMs }) => sum + latencyMs, 0);
    total.nano =
      total.nano === null || answered.costUsd === null
        ? null
        : total.nano + Math.round(answered.costUsd * 1e9);
    const calls = (last?.toolCalls ?? []).map((call): ToolCall => {
      const result = resultOf(toolResults, call);
      return result === undefined ? call : { ...call, result };
    });
    made.push(...calls);
    const isFailed = answered.status !== 'success';
    const goesOn = !isFailed && calls.length > 0 && calls.every(({ result }) => result !== undefined);
    if (goesOn && step < MAX_STEPS) {
      messages.push(
        { role: 'assistant', content: answered.text, toolCalls: [...(last?.toolCalls ?? [])] },
        ...calls.map(
          ({ id = '', result = '' }): ChatMessage => ({ role: 'tool', content: result, toolCallId: id }),
        ),
      );
      continue;
    }
    const error = isFailed
      ? (answered.error ?? answered.status)
      : goesOn
        ? `The model called tools ${MAX_STEPS} times without an answer`
        : null;
    return {
      text: answered.text,
      toolCalls: made,
      latencyMs: total.latencyMs,
      costUsd: usdOf(total.nano),
      traceId,
      error,
    };
  }
}

const usdOf = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);

/** What holds back all calls is thrown; what is wrong with this one becomes its error. */
const isGeneral = (error: unknown): boolean =>
  !(error instanceof AppError) || error.status === 429 || error.status >= 500;

type First = { readonly target: PromptTarget; readonly message: Message; readonly version: number };

/** The prompt, filled with the variables of the target, and the conversation. */
async function firstMessages(
  ctx: Ctx,
  projectId: string,
  { target, message, version }: First,
): Promise<ChatMessage[]> {
  const { candidates } = await compileVersions(ctx, projectId, { name: target.prompt, version });
  const [found] = candidates;
  if (found === undefined) throw badRequest(`${target.prompt} has no version ${version}`);
  const body =
    found.template === undefined ? { messages: found.messages ?? [] } : { template: found.template };
  try {
    const rendered = renderPrompt(body, { message: message.message, ...target.variables });
    const list = typeof rendered === 'string' ? [{ role: 'system', content: rendered }] : rendered;
    const first = list.map(
      ({ role, content }): ChatMessage => ({
        role: role === 'user' || role === 'assistant' ? role : 'system',
        content,
      }),
    );
    return [...first, ...toChat(message.messages)];
  } catch (error) {
    if (error instanceof TemplateError)
      throw badRequest(`${target.prompt}: ${error.message}; give it in target.variables`);
    throw error;
  }
}
