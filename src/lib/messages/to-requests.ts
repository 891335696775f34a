import { isObject, type Message, type Part, type ToolCall, type ToolResult } from './message.ts';
import { messageText, prettyJson } from './message-text.ts';

type Json = Record<string, unknown>;

const isCall = (part: Part): part is ToolCall => part.kind === 'call';
const isResult = (part: Part): part is ToolResult => part.kind === 'result';
const asText = (parts: readonly Part[]): string => messageText({ role: '', parts });
const argsText = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args ?? {}));
const argsObject = (args: unknown): Json => (isObject(args) ? args : args === null ? {} : { input: args });
const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';
/** What is asked again: encrypted and plain reasoning is not sent back. */
const said = ({ parts }: Message): Part[] =>
  parts.filter((part) => part.kind !== 'reasoning' && !isCall(part) && !isResult(part));

/** `[mime, base64]` of a data URL. */
const dataOf = (url: string | null): readonly [string, string] | null => {
  const found = /^data:([^;,]+);base64,(.*)$/s.exec(url ?? '');
  return found === null ? null : [found[1] ?? '', found[2] ?? ''];
};

/** Messages as OpenAI's chat completions take them, and providers with the same API. */
export function toOpenAi(messages: readonly Message[]): Json[] {
  return messages.flatMap((message) => {
    const results = message.parts.filter(isResult).map(({ id, parts }, place) => ({
      role: 'tool',
      tool_call_id: id ?? `call_${place + 1}`,
      content: asText(parts),
    }));
    const calls = message.parts.filter(isCall).map(({ id, name, args }, place) => ({
      id: id ?? `call_${place + 1}`,
      type: 'function',
      function: { name, arguments: argsText(args) },
    }));
    const rest = said(message);
    if (rest.length === 0 && calls.length === 0) return results;
    const content = rest.every(({ kind }) => kind === 'text') ? asText(rest) : rest.map(openAiPart);
    const whole = { role: message.role, content: rest.length === 0 ? null : content };
    return [...results, { ...whole, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  });
}

const openAiPart = (part: Part): Json =>
  part.kind === 'image' && part.url !== null
    ? { type: 'image_url', image_url: { url: part.url } }
    : { type: 'text', text: asText([part]) };

/** `system` and `messages` of Anthropic's messages API. */
export function toAnthropic(messages: readonly Message[]): Json {
  const system = messages.filter(isSystem).map(messageText).join('\n\n');
  return {
    ...(system === '' ? {} : { system }),
    messages: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({
        role: message.role === 'assistant' ? 'assistant' : 'user',
        content: message.parts.filter(({ kind }) => kind !== 'reasoning').map(anthropicBlock),
      })),
  };
}

function anthropicBlock(part: Part): Json {
  switch (part.kind) {
    case 'call':
      return { type: 'tool_use', id: part.id ?? part.name, name: part.name, input: argsObject(part.args) };
    case 'result':
      return { type: 'tool_result', tool_use_id: part.id ?? part.name ?? '', content: asText(part.parts) };
    case 'image': {
      const data = dataOf(part.url);
      if (data === null) return { type: 'image', source: { type: 'url', url: part.url } };
      return { type: 'image', source: { type: 'base64', media_type: data[0], data: data[1] } };
    }
    default:
      return { type: 'text', text: asText([part]) };
  }
}

/** `systemInstruction` and `contents` of Gemini's API. */
export function toGemini(messages: readonly Message[]): Json {
  const system = messages.filter(isSystem).map(messageText).join('\n\n');
  return {
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({
        role: message.role === 'assistant' ? 'model' : 'user',
        parts: message.parts.filter(({ kind }) => kind !== 'reasoning').map(geminiPart),
      })),
  };
}

function geminiPart(part: Part): Json {
  if (part.kind === 'call') return { functionCall: { name: part.name, args: argsObject(part.args) } };
  if (part.kind === 'result') {
    const [only] = part.parts;
    const value = only?.kind === 'data' ? only.value : asText(part.parts);
    const response = isObject(value) ? value : { output: value };
    return { functionResponse: { name: part.name ?? part.id ?? 'tool', response } };
  }
  const data = part.kind === 'image' ? dataOf(part.url) : null;
  if (data !== null) return { inlineData: { mimeType: data[0], data: data[1] } };
  return { text: asText([part]) };
}

/** The texts of an embeddings call: one, or a list. */
export function toTexts(messages: readonly Message[]): string | string[] {
  const texts = messages.flatMap(({ parts }) =>
    parts.map((part) => (part.kind === 'data' ? prettyJson(part.value) : asText([part]))),
  );
  const [only] = texts;
  return texts.length === 1 && only !== undefined ? only : texts;
}
