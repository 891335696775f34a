import {
  firstText,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  parsedJson,
  type ToolResult,
} from './message.ts';
import { isPart, readCall, readPart, readParts, resultParts } from './read-parts.ts';

/** Members that hold the messages of providers' requests and responses, in this order. */
const HOLDERS = [
  'messages',
  'choices',
  'candidates',
  'generations',
  'contents',
  'input',
  'output',
  'outputs',
  'prompt',
  'completion',
  'outputText',
  'generation',
] as const;
/** Members with the instructions that come before them. */
const SYSTEM = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const;
const ROLES: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    model: 'assistant',
    ai: 'assistant',
    AIMessage: 'assistant',
    AIMessageChunk: 'assistant',
    human: 'user',
    HumanMessage: 'user',
    generic: 'user',
    SystemMessage: 'system',
    ToolMessage: 'tool',
    function: 'tool',
    CHATBOT: 'assistant',
    USER: 'user',
    SYSTEM: 'system',
  }),
);
/** Deeper than any provider nests; what is below is shown as JSON. */
const MAX_DEPTH = 8;

/**
 * Reads the messages of what is stored of a call: lists of messages of OpenAI (Chat and Responses), Anthropic, Gemini,
 * Bedrock, the Vercel AI SDK, LangChain, OpenTelemetry and OpenInference, whole requests and responses that hold such
 * lists, parts without a message, and texts. Anything else becomes one message with a part `data`. Nothing is lost:
 * what is not known is shown as JSON.
 * @param role role of messages that state none
 */
export function readMessages(value: unknown, role: string): Message[] {
  return joinItems(read(value, role, MAX_DEPTH));
}

/** `isItem`: an item of OpenAI's Responses, several of which make one message. */
type Read = Message & { readonly isItem?: boolean };

function read(given: unknown, role: string, depth: number): Read[] {
  const value = unwrap(typeof given === 'string' ? conversationIn(given) : given);
  if (value === undefined || value === null || value === '') return [];
  if (depth === 0) return [{ role, parts: [{ kind: 'data', value }] }];
  if (Array.isArray(value)) return readList(value.map(unwrap), role, depth);
  if (!isObject(value)) return [{ role, parts: readParts(value) }];
  if (isSpoken(value)) return toMessages(value, role);
  const holder = HOLDERS.find((name) => value[name] !== undefined && value[name] !== null);
  if (holder !== undefined && !isPart(value))
    return [...systemOf(value), ...read(value[holder], role, depth - 1)];
  return [{ role, parts: isPart(value) ? readParts(value) : partsOfResult(value) }];
}

function readList(list: readonly unknown[], role: string, depth: number): Read[] {
  if (list.some((item) => Array.isArray(item) || (isObject(item) && (isSpoken(item) || holdsMessage(item)))))
    return list.flatMap((item) => read(item, role, depth - 1));
  return list.length === 0 ? [] : [{ role, parts: readParts(list) }];
}

/** A text that is a JSON conversation, parsed; any other text as it is. */
function conversationIn(text: string): unknown {
  const parsed = parsedJson(text);
  const items = Array.isArray(parsed) ? parsed : [parsed];
  const isConversation = items.some(
    (item) => isObject(item) && (isSpoken(item) || Array.isArray(item.messages)),
  );
  return isConversation ? parsed : text;
}

const systemOf = (value: JsonObject): Read[] => {
  const system = SYSTEM.map((name) => value[name]).find(
    (one) => one !== undefined && one !== null && one !== '',
  );
  if (system === undefined) return [];
  const inner = isObject(system) && system.parts !== undefined ? system.parts : system;
  return [{ role: 'system', parts: readParts(inner) }];
};

/** Unwraps an object that LangChain serialised. */
function unwrap(value: unknown): unknown {
  if (!isObject(value) || value.lc !== 1 || !isObject(value.kwargs) || !Array.isArray(value.id)) return value;
  return { role: String(value.id.at(-1)), ...value.kwargs };
}

/** OpenAI and OpenInference wrap messages in `message`, Gemini its answers in `content`. */
function inner(item: JsonObject): JsonObject {
  const message = unwrap(item.message);
  if (isObject(message)) return message;
  return isObject(item.content) && Array.isArray(item.content.parts) ? item.content : item;
}
const holdsMessage = (item: JsonObject): boolean => inner(item) !== item;

/** LangChain's messages say `type: 'human'`. */
function roleOf({ role, type, tool_call_id }: JsonObject): string | null {
  if (typeof role === 'string' && role !== '') return role;
  if (typeof type !== 'string') return null;
  return (
    ROLES.get(type) ?? (type === 'system' || (type === 'tool' && tool_call_id !== undefined) ? type : null)
  );
}

/** Items of OpenAI's Responses that state no role. */
const isItem = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && (type.endsWith('_call') || type.endsWith('_call_output'));

const isSpoken = (value: JsonObject): boolean => {
  const message = inner(value);
  if (message !== value || roleOf(message) !== null) return true;
  return (
    isItem(value) ||
    (value.type === 'reasoning' && (value.summary !== undefined || value.encrypted_content !== undefined))
  );
};

function toMessages(item: JsonObject, givenRole: string): Read[] {
  const message = inner(item);
  const said = roleOf(message);
  if (said === null && (isItem(message) || message.type === 'reasoning')) {
    const part = readPart(message);
    if (part === null) return [];
    return [{ role: part.kind === 'result' ? 'tool' : 'assistant', parts: [part], isItem: true }];
  }
  const role = ROLES.get(said) ?? said ?? givenRole;
  const parts = partsOf(message);
  if (role === 'tool') return [{ role, parts: [toResult(message, parts)].flat() }];
  const results = parts.filter(({ kind }) => kind === 'result');
  const rest = parts.filter(({ kind }) => kind !== 'result');
  if (results.length === 0 || role === 'assistant')
    return [{ role, parts, isItem: message.type === 'message' && role === 'assistant' }];
  return [{ role: 'tool', parts: results }, ...(rest.length === 0 ? [] : [{ role, parts: rest }])];
}

/** The parts of a message: its reasoning, its content, and what stands beside it. */
function partsOf(message: JsonObject): Part[] {
  const reasoning = firstText(message.reasoning_content, message.reasoning, message.reasoningText);
  const more = isObject(message.additional_kwargs) ? message.additional_kwargs : {};
  const calls = [message.tool_calls, message.toolCalls, more.tool_calls].find(
    (one) => Array.isArray(one) && one.length > 0,
  );
  const said = message.content ?? message.parts ?? message.contents ?? message.text;
  const content = isObject(said) && !isPart(said) ? partsOfResult(said) : readParts(said);
  const listed = (Array.isArray(calls) ? calls : [message.function_call]).flatMap(
    (call) => readCall(call) ?? [],
  );
  // LangChain lists the calls of Anthropic's content a second time.
  const isTwice = content.some(({ kind }) => kind === 'call');
  const refusal = firstText(message.refusal);
  const audio = isObject(message.audio) ? firstText(message.audio.transcript) : null;
  return [
    ...(reasoning === null ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...content,
    ...(audio === null ? [] : [{ kind: 'text', text: audio } as const]),
    ...(refusal === null ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...(isTwice ? [] : listed),
  ];
}

/** Results that the parts name, or the whole content as the result of `tool_call_id`. */
function toResult(message: JsonObject, parts: readonly Part[]): ToolResult | Part[] {
  if (parts.some(({ kind }) => kind === 'result')) return [...parts];
  return {
    kind: 'result',
    id: firstText(message.tool_call_id, message.toolCallId),
    name: firstText(message.name, message.toolName),
    parts: resultParts(message.content ?? message.parts ?? null),
    failed: message.status === 'error',
  };
}

/** `{ text, reasoning, toolCalls }`, as results of the Vercel AI SDK and Mastra are; anything else as data. */
function partsOfResult(value: JsonObject): Part[] {
  const { text, reasoning, reasoningText, toolCalls, ...rest } = value;
  if (typeof text !== 'string') return [{ kind: 'data', value }];
  const thoughts = Array.isArray(reasoning) ? readParts(reasoning) : [];
  const more = Object.entries(rest).filter(
    ([, one]) => one !== null && !(Array.isArray(one) && one.length === 0),
  );
  return [
    ...thoughts,
    ...partsOf({ text, toolCalls, reasoningText }),
    ...(more.length === 0 ? [] : [{ kind: 'data', value: Object.fromEntries(more) } as const]),
  ];
}

/** Joins the items of one answer: reasoning, calls and the message after them. */
function joinItems(messages: readonly Read[]): Message[] {
  const joined: Read[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.isItem === true && message.isItem === true && last.role === message.role)
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined.map(({ role, parts }) => ({ role, parts }));
}
