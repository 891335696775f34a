import { lookUp } from '../../../lib/text/look-up.ts';
import { isObject } from '../read/attributes.ts';
import { readParts, type ToolCall, toToolCalls } from './to-parts.ts';

/**
 * One message of a prompt or an answer, the common form of all dialects. `content` is text if it is only text,
 * otherwise its parts as sent; null if there are only tool calls.
 */
export type Message = {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly ToolCall[];
  /** On a message of role `tool`: the id of the tool call. */
  readonly tool_call_id?: string;
};

type JsonObject = { readonly [key: string]: unknown };

/** Members that contain the messages of providers' requests and responses, in this order. */
const HOLDERS = ['messages', 'choices', 'generations', 'input', 'output', 'outputs', 'prompt'] as const;
/** LangChain's message classes, as it serialises them. */
const LANGCHAIN_ROLES: Readonly<Record<string, string>> = {
  HumanMessage: 'user',
  SystemMessage: 'system',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  ToolMessage: 'tool',
};
const MAX_DEPTH = 8;

/**
 * Extracts messages from what a client attached: messages, with `parts` (OpenTelemetry) or without, a complete request
 * or response of a provider, or anything else, which becomes the content of one message.
 * @param role role of messages that state none
 */
export function toMessages(value: unknown, role: string, depth = MAX_DEPTH): Message[] {
  const given = unwrap(value);
  if (Array.isArray(given)) return listToMessages(given, role, depth);
  if (!isObject(given)) return [{ role, content: textOf(given) }];
  if (isMessage(given)) return toMessage(given, role);
  const calls = toToolCalls([given]);
  if (calls.length > 0) return [{ role, content: null, tool_calls: calls }];
  const holder = HOLDERS.find((name) => given[name] !== undefined && given[name] !== null);
  if (holder === undefined || depth === 0) return [{ role, content: given }];
  const system = given.system ?? given.instructions;
  const first: Message[] =
    system === undefined || system === null ? [] : [{ role: 'system', content: textOf(system) }];
  return [...first, ...toMessages(given[holder], role, depth - 1)];
}

function listToMessages(list: readonly unknown[], role: string, depth: number): Message[] {
  const items = list.map(unwrap);
  // Items of OpenAI's Responses: thoughts, calls of tools and messages.
  if (items.some(isMessage))
    return items.flatMap((item) =>
      isMessage(item) && isObject(item) ? toMessage(item, role) : partsToMessage([item], role),
    );
  // LangChain's generations: one list per prompt.
  const [only] = items;
  if (items.length === 1 && Array.isArray(only) && depth > 0) return toMessages(only, role, depth - 1);
  return partsToMessage(items, role);
}

function partsToMessage(parts: readonly unknown[], role: string): Message[] {
  const { content, tool_calls } = readParts(parts);
  return [{ role, content, ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
}

/** Unwraps an object that LangChain serialised. */
function unwrap(value: unknown): unknown {
  if (!isObject(value) || value.lc !== 1 || !isObject(value.kwargs) || !Array.isArray(value.id)) return value;
  const role = lookUp(LANGCHAIN_ROLES, String(value.id.at(-1)));
  return role === undefined ? value.kwargs : { role, ...value.kwargs };
}

/** Unwraps `{ message: … }`: an OpenInference item, an OpenAI choice or a LangChain generation. */
function inner(item: JsonObject): JsonObject {
  const message = unwrap(item.message);
  return isObject(message) ? message : item;
}

function isMessage(item: unknown): boolean {
  if (!isObject(item)) return false;
  const message = inner(item);
  const speaks = typeof message.role === 'string' || message !== item;
  return (
    speaks || (message.content !== undefined && message.type === undefined && message.messages === undefined)
  );
}

/** Returns a message, and one message for each tool result in it. */
function toMessage(item: JsonObject, givenRole: string): Message[] {
  const message = inner(item);
  const said = typeof message.role === 'string' ? message.role : givenRole;
  // Gemini and Genkit.
  const role = said === 'model' ? 'assistant' : said;
  const { content, tool_calls, results } = readParts(message.content ?? message.parts ?? message.contents);
  const stated = toToolCalls(message.tool_calls ?? message.toolCalls);
  const calls = stated.length > 0 ? stated : tool_calls;
  const answers = results.map(
    ({ id, content }): Message => ({ role: 'tool', content, ...(id === null ? {} : { tool_call_id: id }) }),
  );
  if (content === null && calls.length === 0 && answers.length > 0) return answers;
  const whole: Message = {
    role,
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(typeof message.tool_call_id === 'string' ? { tool_call_id: message.tool_call_id } : {}),
  };
  return [whole, ...answers];
}

const textOf = (value: unknown): unknown => readParts(value).content;
