import { isObject } from '../read/attributes.ts';
import { readParts, type ToolCall, toToolCalls } from './to-parts.ts';

/**
 * One message of a prompt or an answer: the shape into which every dialect is brought. `content` is text
 * where it is only text, else its parts as they were sent; null beside tool calls alone.
 */
export type Message = {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly ToolCall[];
  /** On a message of role `tool`: which call it answers. */
  readonly tool_call_id?: string;
};

type JsonObject = { readonly [key: string]: unknown };

/** Members under which requests and answers of providers hold their messages, in this order. */
const HOLDERS = ['messages', 'choices', 'generations', 'input', 'output', 'outputs', 'prompt'] as const;
/** LangChain's classes of messages, as it serializes them. */
const LANGCHAIN_ROLES: Readonly<Record<string, string>> = {
  HumanMessage: 'user',
  SystemMessage: 'system',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  ToolMessage: 'tool',
};
const MAX_DEPTH = 8;

/**
 * Messages from what a client attached: messages already, with `parts` (OpenTelemetry) or not, a whole
 * request or answer of a provider, or anything else, which becomes the content of one message.
 * @param role the role of what states none
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
  if (items.length > 0 && items.every(isMessage)) {
    return items.filter(isObject).flatMap((item) => toMessage(item, role));
  }
  // LangChain's generations: a list for each prompt.
  const [only] = items;
  if (items.length === 1 && Array.isArray(only) && depth > 0) return toMessages(only, role, depth - 1);
  const { content, tool_calls } = readParts(items);
  return [{ role, content, ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
}

/** What LangChain serialized, as it was before. */
function unwrap(value: unknown): unknown {
  if (!isObject(value) || value.lc !== 1 || !isObject(value.kwargs) || !Array.isArray(value.id)) return value;
  const role = LANGCHAIN_ROLES[String(value.id.at(-1))];
  return role === undefined ? value.kwargs : { role, ...value.kwargs };
}

/** `{ message: … }` is OpenInference's item, OpenAI's choice and LangChain's generation. */
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

/** A message, and one for each result of a tool that it brings. */
function toMessage(item: JsonObject, givenRole: string): Message[] {
  const message = inner(item);
  const role = typeof message.role === 'string' ? message.role : givenRole;
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
