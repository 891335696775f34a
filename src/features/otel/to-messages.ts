import { isObject } from './attributes.ts';

/** One message of a prompt or an answer. `content` is text where it is only text, else its parts. */
export type Message = {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
};

type JsonObject = { readonly [key: string]: unknown };

/** Members under which requests and answers of providers hold their messages, in this order. */
const HOLDERS = ['messages', 'choices', 'input', 'output', 'prompt'] as const;
const MAX_DEPTH = 8;

/**
 * Messages from what a client attached: messages already, with `parts` (OpenTelemetry) or not, a whole
 * request or answer of a provider, or anything else, which becomes the content of one message.
 * @param role the role of what states none
 */
export function toMessages(value: unknown, role: string, depth = MAX_DEPTH): Message[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) {
    return value.filter(isObject).map((item) => toMessage(item, role));
  }
  if (!isObject(value)) return [{ role, content: textOf(value) }];
  if (isMessage(value)) return [toMessage(value, role)];
  const holder = HOLDERS.find((name) => value[name] !== undefined && value[name] !== null);
  if (holder === undefined || depth === 0) return [{ role, content: value }];
  const system = value.system ?? value.instructions;
  const first: Message[] =
    system === undefined || system === null ? [] : [{ role: 'system', content: textOf(system) }];
  return [...first, ...toMessages(value[holder], role, depth - 1)];
}

/** `{ message: … }` is OpenInference's item and OpenAI's choice. */
const inner = (item: JsonObject): JsonObject => (isObject(item.message) ? item.message : item);

function isMessage(item: unknown): boolean {
  if (!isObject(item)) return false;
  const message = inner(item);
  const speaks = typeof message.role === 'string' || message !== item;
  return (
    speaks || (message.content !== undefined && message.type === undefined && message.messages === undefined)
  );
}

function toMessage(item: JsonObject, role: string): Message {
  const message = inner(item);
  const calls = message.tool_calls ?? message.toolCalls;
  return {
    role: typeof message.role === 'string' ? message.role : role,
    content: textOf(message.content ?? message.parts ?? message.contents ?? null),
    ...(calls === undefined || calls === null ? {} : { tool_calls: calls }),
    ...(message.tool_call_id === undefined ? {} : { tool_call_id: message.tool_call_id }),
  };
}

/** Parts that are all text, as one text. */
function textOf(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map(partText);
  return texts.every((text) => text !== null) ? texts.join('\n') : content;
}

/** `{ type: 'text', text }` (OpenAI, Anthropic), `{ type: 'text', content }` (OpenTelemetry). */
function partText(part: unknown): string | null {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return null;
  const inner = isObject(part.message_content) ? part.message_content : part;
  const isText = inner.type === 'text' || inner.type === 'input_text' || inner.type === 'output_text';
  const text = inner.text ?? inner.content;
  return isText && typeof text === 'string' ? text : null;
}
