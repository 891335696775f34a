import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { RawUsage } from '../pricing/index.ts';
import type { CallPart, ModelToolCall } from './contract.ts';
import { usageIn } from './usage-in.ts';

/** What a reply said so far. */
export type Gathered = {
  text: string;
  reasoning: string;
  readonly toolCalls: ModelToolCall[];
  /** As the provider sent it; null while it sent none. */
  usage: RawUsage | null;
  finishReason: string | null;
  /** The model that answered, as the provider names it. */
  responseModel: string | null;
  /** Whether the provider said that the reply is complete. */
  isComplete: boolean;
  /** When the first content arrived, in milliseconds of `performance.now()`. */
  firstAt: number | null;
  /** An error that the provider sent within the reply. */
  error: unknown;
};

export const emptyReply = (): Gathered => ({
  text: '',
  reasoning: '',
  toolCalls: [],
  usage: null,
  finishReason: null,
  responseModel: null,
  isComplete: false,
  firstAt: null,
  error: null,
});

type Emit = (part: CallPart) => void;

/** Adds a part of a stream to what was said. */
export function addPart(reply: Gathered, part: LanguageModelV4StreamPart, emit: Emit): void {
  switch (part.type) {
    case 'text-delta':
      addText(reply, part.delta, emit);
      return;
    case 'reasoning-delta':
      addReasoning(reply, part.delta, emit);
      return;
    case 'tool-call':
      addToolCall(reply, part, emit);
      return;
    case 'stream-start':
      for (const warning of part.warnings) emit({ type: 'warning', message: warningText(warning) });
      return;
    case 'response-metadata':
      reply.responseModel = part.modelId ?? reply.responseModel;
      return;
    case 'raw': {
      const usage = usageIn(part.rawValue);
      if (usage !== null) reply.usage = { ...reply.usage, ...usage };
      return;
    }
    case 'error':
      reply.error ??= part.error;
      return;
    case 'finish':
      reply.usage = part.usage.raw ?? reply.usage;
      reply.finishReason = part.finishReason.raw ?? part.finishReason.unified;
      // The libraries also finish a stream that was cut.
      reply.isComplete = part.finishReason.unified !== 'interrupted' && part.finishReason.unified !== 'error';
      return;
  }
}

/** Adds a whole reply. */
export function addResult(reply: Gathered, result: LanguageModelV4GenerateResult, emit: Emit): void {
  for (const warning of result.warnings) emit({ type: 'warning', message: warningText(warning) });
  for (const part of result.content) addContent(reply, part, emit);
  reply.responseModel = result.response?.modelId ?? null;
  reply.usage = result.usage.raw ?? null;
  reply.finishReason = result.finishReason.raw ?? result.finishReason.unified;
  reply.isComplete = true;
}

function addContent(reply: Gathered, part: LanguageModelV4Content, emit: Emit): void {
  if (part.type === 'text') addText(reply, part.text, emit);
  if (part.type === 'reasoning') addReasoning(reply, part.text, emit);
  if (part.type === 'tool-call') addToolCall(reply, part, emit);
}

const noteFirst = (reply: Gathered): void => {
  reply.firstAt ??= performance.now();
};

function addText(reply: Gathered, text: string, emit: Emit): void {
  if (text === '') return;
  noteFirst(reply);
  reply.text += text;
  emit({ type: 'text', text });
}

function addReasoning(reply: Gathered, text: string, emit: Emit): void {
  if (text === '') return;
  noteFirst(reply);
  reply.reasoning += text;
  emit({ type: 'reasoning', text });
}

type SentCall = { readonly toolCallId: string; readonly toolName: string; readonly input: string };

function addToolCall(reply: Gathered, { toolCallId, toolName, input }: SentCall, emit: Emit): void {
  noteFirst(reply);
  const call = { id: toolCallId, name: toolName, arguments: argumentsOf(input) };
  reply.toolCalls.push(call);
  emit({ type: 'toolCall', ...call });
}

/** Arguments arrive as JSON text. A model may write what is none; it is then kept as text. */
function argumentsOf(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    return input;
  }
}

type Warning = Extract<LanguageModelV4StreamPart, { type: 'stream-start' }>['warnings'][number];

function warningText(warning: Warning): string {
  if (warning.type === 'other') return warning.message;
  const what =
    'feature' in warning ? warning.feature : 'setting' in warning ? String(warning.setting) : 'A setting';
  const details = 'details' in warning && warning.details !== undefined ? `: ${warning.details}` : '';
  return warning.type === 'unsupported'
    ? `The model does not support ${what}${details}`
    : `${what} may not work as expected${details}`;
}
