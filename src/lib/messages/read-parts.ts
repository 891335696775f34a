import { firstText, isObject, type JsonObject, type Part, parsedJson, type ToolCall } from './message.ts';
import { readMedia } from './read-media.ts';

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'summary_text']);
/** Members of a text without a type, as Gemini and Bedrock send it. */
const BESIDE_TEXT: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'thought_signature',
]);
const REASONING_TYPES: ReadonlySet<unknown> = new Set([
  'thinking',
  'redacted_thinking',
  'reasoning',
  'reasoning_text',
]);
/** OpenTelemetry, Vercel AI SDK, Anthropic, OpenAI's Responses. */
const RESULT_TYPE =
  /^(?:tool_call_response|tool-result|\w*tool_result|(?:function|custom_tool|computer|local_shell)_call_output)$/;

/** The parts of a message's content: a text, a list of parts, or one part. */
export function readParts(content: unknown): Part[] {
  if (content === undefined || content === null || content === '') return [];
  return Array.isArray(content)
    ? content.flatMap((item) => readPart(item) ?? [])
    : [readPart(content)].flatMap((part) => part ?? []);
}

/** Whether a value is a part of a message by its shape. */
export const isPart = (value: unknown): boolean =>
  typeof value === 'string' || (isObject(value) && readPart(value)?.kind !== 'data');

/** One part in the shape of any provider; null for an empty one. */
export function readPart(given: unknown): Part | null {
  if (typeof given === 'string') return given === '' ? null : { kind: 'text', text: given };
  if (!isObject(given)) return given === null || given === undefined ? null : { kind: 'data', value: given };
  // OpenInference.
  const part = isObject(given.message_content) ? given.message_content : given;
  return (
    readReasoning(part) ??
    readText(part) ??
    readResult(part) ??
    readMedia(part) ??
    readCall(part) ?? { kind: 'data', value: part }
  );
}

function readText(part: JsonObject): Part | null {
  if (part.type === 'refusal') return { kind: 'refusal', text: firstText(part.refusal, part.text) ?? '' };
  const text = part.text ?? (TEXT_TYPES.has(part.type) ? (part.content ?? part.value) : undefined);
  if (typeof text !== 'string') return null;
  const isText = TEXT_TYPES.has(part.type) || Object.keys(part).every((name) => BESIDE_TEXT.has(name));
  return isText ? { kind: 'text', text } : null;
}

/** Anthropic's blocks, OpenAI's items with `summary`, Bedrock's `reasoningContent`, Gemini's `thought`, OpenTelemetry. */
function readReasoning(part: JsonObject): Part | null {
  const bedrock = part.reasoningContent;
  if (isObject(bedrock)) {
    const inner = bedrock.reasoningText;
    return { kind: 'reasoning', text: firstText(isObject(inner) ? inner.text : inner) };
  }
  if (part.thought === true) return { kind: 'reasoning', text: firstText(part.text) };
  if (!REASONING_TYPES.has(part.type)) return null;
  const texts = [part.thinking, part.text, part.reasoning, part.content, part.summary].flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.flatMap((one) => firstText(isObject(one) ? one.text : one) ?? [])
        : [],
  );
  return { kind: 'reasoning', text: texts.filter((text) => text !== '').join('\n\n') || null };
}

/**
 * A tool call: OpenAI Chat (`{ id, function: { name, arguments } }`) and Responses (`function_call` and the calls of
 * built-in tools), Anthropic (`tool_use`), OpenTelemetry (`tool_call`), Vercel AI SDK (`tool-call`), Gemini
 * (`functionCall`), Bedrock (`toolUse`), Genkit (`toolRequest`), OpenInference (`{ tool_call }`), LangChain.
 */
export function readCall(given: unknown): ToolCall | null {
  if (!isObject(given)) return null;
  const holder =
    given.tool_call ?? given.functionCall ?? given.function_call ?? given.toolUse ?? given.toolRequest;
  const part = isObject(holder) ? holder : given;
  const called = isObject(part.function) ? part.function : part;
  const builtIn = /^(\w+)_call$/.exec(String(part.type ?? ''))?.[1];
  const name = firstText(called.name, part.toolName, builtIn !== 'function' ? builtIn : null);
  const args = called.arguments ?? part.input ?? part.args ?? part.action ?? part.queries;
  if (
    name === null ||
    (args === undefined && part === given && builtIn === undefined && !isObject(part.function))
  )
    return null;
  const id = firstText(part.call_id, part.toolCallId, part.tool_call_id, part.toolUseId, part.ref, part.id);
  return { kind: 'call', id, name, args: parsedJson(args ?? null) };
}

/** A tool's result in the same dialects, but for OpenAI Chat, where it is a message of its own. */
function readResult(part: JsonObject): Part | null {
  const holder = part.functionResponse ?? part.function_response ?? part.toolResult ?? part.toolResponse;
  const given = isObject(holder) ? holder : part;
  if (given === part && !RESULT_TYPE.test(String(part.type ?? ''))) return null;
  const id = firstText(
    given.call_id,
    given.tool_use_id,
    given.toolCallId,
    given.toolUseId,
    given.ref,
    given.id,
  );
  const value = given.response ?? given.result ?? given.output ?? given.content ?? null;
  const failed =
    given.is_error === true || given.isError === true || given.status === 'error' || isErrorOutput(value);
  return {
    kind: 'result',
    id,
    name: firstText(given.name, given.toolName),
    parts: resultParts(value),
    failed,
  };
}

/** What a tool returned. JSON in a text is read as JSON. */
export function resultParts(given: unknown): Part[] {
  // Vercel AI SDK: `{ type: 'text' | 'json' | 'content', value }`.
  const value =
    isObject(given) && given.value !== undefined && typeof given.type === 'string' ? given.value : given;
  const parsed = parsedJson(value);
  if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((item) => isPart(item) || isJsonBlock(item)))
    return parsed.flatMap((item) =>
      isJsonBlock(item) ? [{ kind: 'data', value: item.json } as const] : readParts(item),
    );
  if (typeof parsed === 'string' || parsed === null || parsed === undefined) return readParts(parsed);
  return [{ kind: 'data', value: parsed }];
}

/** Bedrock. */
const isJsonBlock = (item: unknown): item is { readonly json: unknown } =>
  isObject(item) && item.json !== undefined && Object.keys(item).length === 1;

const isErrorOutput = (value: unknown): boolean =>
  isObject(value) && typeof value.type === 'string' && value.type.startsWith('error-');
