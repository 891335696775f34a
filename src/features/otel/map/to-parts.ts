import { isObject } from '../read/attributes.ts';

/** A tool call of a model. `arguments` is parsed if it was sent as JSON text. */
export type ToolCall = { readonly id: string | null; readonly name: string; readonly arguments: unknown };
type ToolResult = { readonly id: string | null; readonly content: unknown };

/** The content of a message, split up. `content` is null if there are only tool calls and results. */
export type Parts = {
  readonly content: unknown;
  readonly tool_calls: readonly ToolCall[];
  readonly results: readonly ToolResult[];
};

type JsonObject = { readonly [key: string]: unknown };

/** OpenTelemetry, Vercel AI SDK, Anthropic. */
const RESULT_TYPES: ReadonlySet<unknown> = new Set(['tool_call_response', 'tool-result', 'tool_result']);
const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Joins parts that are all text, and separates tool calls and tool results. */
export function readParts(given: unknown): Parts {
  const content = typeof given === 'string' && given.startsWith('[{"type":') ? parseJson(given) : given;
  if (!Array.isArray(content) || content.length === 0) {
    return { content: content ?? null, tool_calls: [], results: [] };
  }
  const results: ToolResult[] = [];
  const tool_calls: ToolCall[] = [];
  const rest: unknown[] = [];
  for (const part of content as unknown[]) {
    const result = toResult(part);
    const call = result === null ? toToolCall(part) : null;
    if (result !== null) results.push(result);
    else if (call !== null) tool_calls.push(call);
    else rest.push(part);
  }
  return { content: rest.length === 0 ? null : joinTexts(rest), tool_calls, results };
}

/** The tool calls in a list, in any dialect; other elements are dropped. */
export function toToolCalls(list: unknown): ToolCall[] {
  const calls = typeof list === 'string' ? parseJson(list) : list;
  return Array.isArray(calls) ? calls.flatMap((call) => toToolCall(call) ?? []) : [];
}

/**
 * `{ id, function: { name, arguments } }` (OpenAI Chat), `{ type: 'function_call', call_id, … }` (Responses),
 * `{ type: 'tool_use', id, name, input }` (Anthropic), `{ type: 'tool_call', id, name, arguments }`
 * (OpenTelemetry), `{ toolCallId, toolName, input | args }` (Vercel AI SDK), `{ tool_call: … }`
 * (OpenInference), `{ name, args, id, type: 'tool_call' }` (LangChain), `{ name, arguments }` (OpenLLMetry),
 * `{ toolRequest: { name, ref, input } }` (Genkit).
 */
function toToolCall(given: unknown): ToolCall | null {
  const part = isObject(given) ? (given.tool_call ?? given.toolRequest ?? given) : given;
  if (!isObject(part)) return null;
  const called = isObject(part.function) ? part.function : part;
  const name = called.name ?? part.toolName;
  const args = called.arguments ?? part.input ?? part.args;
  if (typeof name !== 'string' || (args === undefined && !isObject(part.function))) return null;
  const id = part.call_id ?? part.toolCallId ?? part.ref ?? part.id;
  return {
    id: typeof id === 'string' ? id : null,
    name,
    arguments: typeof args === 'string' ? parseJson(args) : (args ?? null),
  };
}

function toResult(part: unknown): ToolResult | null {
  if (!isObject(part)) return null;
  if (isObject(part.toolResponse)) {
    const { ref, output = null } = part.toolResponse;
    return { id: typeof ref === 'string' ? ref : null, content: output };
  }
  if (!RESULT_TYPES.has(part.type)) return null;
  const id = part.id ?? part.toolCallId ?? part.tool_use_id;
  const given = part.response ?? part.result ?? part.output ?? part.content ?? null;
  // Vercel AI SDK: `{ type: 'text', value: … }`.
  const content = isObject(given) && given.value !== undefined ? given.value : joinTexts(given);
  return { id: typeof id === 'string' ? id : null, content };
}

function joinTexts(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map(partText);
  return texts.every((text) => text !== null) ? texts.join('\n') : content;
}

/** `{ type: 'text', text }` (OpenAI, Anthropic), `{ type: 'text', content }` (OpenTelemetry), `{ text }` (Genkit). */
function partText(part: unknown): string | null {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return null;
  const inner: JsonObject = isObject(part.message_content) ? part.message_content : part;
  const text = inner.text ?? inner.content;
  const isText = TEXT_TYPES.has(inner.type) || (inner.type === undefined && Object.keys(inner).length === 1);
  return isText && typeof text === 'string' ? text : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
