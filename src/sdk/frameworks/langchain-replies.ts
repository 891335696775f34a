import type { EventFields } from '../event.ts';
import { isObject, langChainTokens } from '../wrap/usage.ts';

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['generic', 'user'],
]);

/** A message of LangChain in the form in which prompts are hashed. */
const toMessage = (given: unknown): unknown => {
  const message = objectOf(given);
  const { _getType: old, getType = old } = message;
  const type =
    typeof getType === 'function' ? String(getType.call(given)) : firstText(message.type, message.role);
  return {
    role: firstText(message.role, ROLES.get(type ?? ''), type) ?? 'user',
    content: message.content,
  };
};

export const toMessages = (messages: unknown): unknown =>
  Array.isArray(messages) ? messages.map((one) => (isObject(one) ? toMessage(one) : one)) : messages;

/**
 * Provider and model of a run: LangChain's standard metadata, or the parameters of the request. Models that are no chat
 * models have no such metadata: the place of their class names the provider (`langchain/llms/openai/OpenAI`).
 */
export const modelOf = (serialized: unknown, extra: unknown, metadata: Json): EventFields => {
  const params = objectOf(objectOf(extra).invocation_params);
  const { id } = objectOf(serialized);
  const place: readonly unknown[] = Array.isArray(id) && id.length > 3 ? id : [];
  return {
    provider: firstText(metadata.ls_provider, place[2]) ?? nameOf(serialized, undefined),
    model: firstText(metadata.ls_model_name, params.model, params.model_name, params.modelName),
  };
};

/** What a generation says: its text or parts, or a message where it calls tools. */
const answerOf = (generation: unknown): unknown => {
  const { message, text } = objectOf(generation);
  const { content, tool_calls } = objectOf(message);
  if (!Array.isArray(tool_calls) || tool_calls.length === 0) return content ?? text;
  return { role: 'assistant', content: content ?? text, tool_calls };
};

/** The fields of a finished run (`LLMResult`): usage, finish reason, model, tool calls. */
export const readResult = (result: unknown, asked: string | undefined, output: boolean): EventFields => {
  const { generations, llmOutput } = objectOf(result);
  const all: unknown[] = Array.isArray(generations) ? generations.flat() : [];
  const generation = objectOf(all[0]);
  const message = objectOf(generation.message);
  const response = objectOf(message.response_metadata);
  const info = objectOf(generation.generationInfo);
  // Streams of Anthropic.
  const more = objectOf(message.additional_kwargs);
  const model = firstText(response.model_name, response.model, more.model, objectOf(llmOutput).model);
  const tier = firstText(response.service_tier);
  const tools = Array.isArray(message.tool_calls) ? message.tool_calls.length : 0;
  const metadata = {
    ...(model !== undefined && asked !== undefined && model !== asked && { response_model: model }),
    ...(tier !== undefined && { service_tier: tier }),
    ...(tools > 0 && { tool_calls: tools }),
  };
  const reported = message.usage_metadata ?? objectOf(llmOutput).tokenUsage ?? objectOf(llmOutput).usage;
  return {
    ...langChainTokens(reported, response.usage),
    ...(asked === undefined && model !== undefined && { model }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    finish_reason: firstText(
      info.finish_reason,
      info.finishReason,
      response.finish_reason,
      response.stop_reason,
      response.finishReason,
      response.stopReason,
      more.stop_reason,
    ),
    ...(output && {
      output: all.map(answerOf),
    }),
  };
};

/** Metadata that LangChain and LangGraph add for themselves. */
const OWN =
  /^(?:ls_|lc_|langgraph_|langsmith|__pregel|checkpoint_ns$|versions$|thread_id$|user_id$|session_id$)/;
const OWN_TAG = /^(?:seq|graph|map):|^langsmith:|^lc_/;

/** User, session (LangGraph's thread), the application's own metadata and tags of a run. */
export const runFields = (tags: unknown, metadata: Json): EventFields => {
  const own = Object.entries(metadata).filter(([name]) => !OWN.test(name));
  const labels = (Array.isArray(tags) ? tags : []).filter(
    (tag) => typeof tag === 'string' && !OWN_TAG.test(tag),
  );
  const kept = { ...Object.fromEntries(own), ...(labels.length > 0 && { tags: labels }) };
  return {
    user_id: firstText(metadata.user_id),
    session_id: firstText(metadata.session_id, metadata.thread_id),
    ...(Object.keys(kept).length > 0 && { metadata: kept }),
  };
};

/** The last part of the path of a serialised object names its class. */
export const nameOf = (serialized: unknown, runName: unknown): string => {
  const { name, id } = objectOf(serialized);
  return firstText(runName, name, Array.isArray(id) ? id.at(-1) : undefined) ?? 'run';
};

/** Runs that LangChain itself hides from its users. */
export const isHidden = (tags: unknown): boolean => Array.isArray(tags) && tags.includes('langsmith:hidden');
