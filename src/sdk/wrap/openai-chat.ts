import type { EventFields } from '../event.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { isObject, openAiTokens } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

export type ChatReaderOptions = {
  /** Whether completions are stored. */
  readonly output: () => boolean;
  /** True if the SDK requested the usage; its chunk is then hidden from the caller. */
  readonly hideUsage: boolean;
  /** Called if a streamed reply ended without usage. */
  readonly onMissingUsage: () => void;
  /** The model of the request, or undefined if the model of the reply has the price. */
  readonly requestModel: string | undefined;
};

/** The content of a choice so far. */
type Choice = { text: string; tools: Map<number, { id: string; name: string; arguments: string }> };

const firstOf = (value: unknown): Json => {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isObject(first) ? first : {};
};

/** Content as text; Mistral's may come in parts. */
const contentText = (content: unknown): string | undefined =>
  Array.isArray(content)
    ? content.map((part: unknown) => (isObject(part) ? (textOr(part.text) ?? '') : '')).join('')
    : textOr(content);

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Model and tier of the reply, which are more precise than the request's. */
export const answerDetails = (
  answer: Json,
  requestModel: string | undefined,
  toolCalls: number,
): EventFields => {
  const model = textOr(answer.model);
  const metadata = {
    ...(model !== undefined &&
      requestModel !== undefined &&
      model !== requestModel && { response_model: model }),
    ...(typeof answer.service_tier === 'string' && { service_tier: answer.service_tier }),
    ...(toolCalls > 0 && { tool_calls: toolCalls }),
  };
  return {
    ...(requestModel === undefined && model !== undefined && { model }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
};

/** Reads Chat Completions, and legacy Completions, whose choices have `text` (API reference, OpenAI). */
export const createChatReader = (options: ChatReaderOptions): AnswerReader => {
  const { hideUsage, requestModel } = options;
  const choices = new Map<number, Choice>();
  let last: Json = {};
  let usage: unknown;
  let finishReason: string | undefined;

  const choiceAt = (index: number): Choice => {
    const known = choices.get(index) ?? { text: '', tools: new Map() };
    choices.set(index, known);
    return known;
  };

  const takeTools = (choice: Choice, calls: unknown): void => {
    for (const call of Array.isArray(calls) ? calls : []) {
      if (!isObject(call)) continue;
      const given = isObject(call.function) ? call.function : {};
      const tool = choice.tools.get(Number(call.index)) ?? { id: '', name: '', arguments: '' };
      tool.id ||= textOr(call.id) ?? '';
      tool.name ||= textOr(given.name) ?? '';
      if (options.output()) tool.arguments += textOr(given.arguments) ?? '';
      choice.tools.set(Number(call.index), tool);
    }
  };

  /** Adds a choice of a chunk; returns whether it has any content. */
  const takeChoice = (given: unknown): boolean => {
    if (!isObject(given)) return false;
    const delta = isObject(given.delta) ? given.delta : {};
    const text = contentText(delta.content) ?? textOr(delta.refusal) ?? textOr(given.text);
    if (given.index === 0 || given.index === undefined)
      finishReason = textOr(given.finish_reason) ?? finishReason;
    const choice = choiceAt(Number(given.index ?? 0));
    if (text !== undefined && options.output()) choice.text += text;
    takeTools(choice, delta.tool_calls);
    const parts = Array.isArray(delta.content) && delta.content.length > 0;
    return Boolean(
      text || parts || delta.tool_calls || delta.function_call || delta.reasoning_content || delta.reasoning,
    );
  };

  const streamedOutput = (): unknown =>
    [...choices.values()].map(({ text, tools }) => ({
      role: 'assistant',
      content: text,
      ...(tools.size > 0 && {
        tool_calls: [...tools.values()].map(({ id, ...called }) => ({ ...(id !== '' && { id }), ...called })),
      }),
    }));

  const isUsagePiece = (value: unknown): boolean =>
    isObject(value) && isObject(value.usage) && Array.isArray(value.choices) && value.choices.length === 0;

  return {
    hides: hideUsage ? isUsagePiece : undefined,
    answer(value) {
      const answer = isObject(value) ? value : {};
      const choice = firstOf(answer.choices);
      const message = isObject(choice.message) ? choice.message : {};
      const tools = Array.isArray(message.tool_calls) ? message.tool_calls.length : 0;
      return {
        ...openAiTokens(answer.usage),
        ...answerDetails(answer, requestModel, tools),
        finish_reason: textOr(choice.finish_reason),
        ...(options.output() && { output: outputs(answer.choices) }),
      };
    },
    piece(value): Piece {
      if (!isObject(value)) return undefined;
      last = value;
      const given: unknown[] = Array.isArray(value.choices) ? value.choices : [];
      const reported = value.usage ?? (isObject(value.x_groq) ? value.x_groq.usage : undefined);
      if (isObject(reported)) usage = reported;
      if (hideUsage && isUsagePiece(value)) return 'hidden';
      // With requested usage, the provider writes `usage: null` into every other chunk.
      if (hideUsage && value.usage === null) delete (value as Record<string, unknown>).usage;
      let content = false;
      for (const choice of given) content = takeChoice(choice) || content;
      return content ? 'content' : undefined;
    },
    result() {
      if (usage === undefined && finishReason !== undefined) options.onMissingUsage();
      const tools = [...choices.values()].reduce((sum, choice) => sum + choice.tools.size, 0);
      return {
        ...openAiTokens(usage),
        ...answerDetails(last, requestModel, tools),
        finish_reason: finishReason,
        ...(options.output() && { output: streamedOutput() }),
      };
    },
    get complete() {
      return finishReason !== undefined;
    },
  };
};

const outputs = (choices: unknown): unknown =>
  Array.isArray(choices)
    ? choices.map((choice: unknown) => (isObject(choice) ? (choice.message ?? choice.text) : choice))
    : undefined;
