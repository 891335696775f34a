import type { EventFields } from '../event.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { geminiTokens, isObject } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const partsOf = (reply: Json): unknown[] =>
  listOf(reply.candidates).flatMap((candidate) => listOf(objectOf(objectOf(candidate).content).parts));

/** Why the first candidate ended, or why there is none. */
const finishOf = (reply: Json): string | undefined => {
  const { finishReason } = objectOf(listOf(reply.candidates)[0]);
  const reason = finishReason ?? objectOf(reply.promptFeedback).blockReason;
  return typeof reason === 'string' ? reason : undefined;
};

const countCalls = (parts: readonly unknown[]): number =>
  parts.filter((part) => isObject(part) && part.functionCall !== undefined).length;

const detailsOf = (model: unknown, requestModel: string | undefined, calls: number): EventFields => {
  const metadata = {
    ...(typeof model === 'string' && model !== requestModel && { response_model: model }),
    ...(calls > 0 && { tool_calls: calls }),
  };
  return Object.keys(metadata).length > 0 ? { metadata } : {};
};

/**
 * Reads replies of `generateContent` (https://ai.google.dev/api/generate-content), complete or in chunks. The usage in a
 * chunk includes that of earlier ones.
 */
export const createGoogleReader = (output: () => boolean, requestModel: string | undefined): AnswerReader => {
  let usage: unknown;
  let model: unknown;
  let finishReason: string | undefined;
  let calls = 0;
  let text = '';
  return {
    answer(value) {
      const reply = objectOf(value);
      return {
        ...geminiTokens(reply.usageMetadata),
        ...detailsOf(reply.modelVersion, requestModel, countCalls(partsOf(reply))),
        finish_reason: finishOf(reply),
        ...(output() && { output: listOf(reply.candidates).map((one) => objectOf(one).content) }),
      };
    },
    piece(value): Piece {
      const reply = objectOf(value);
      const parts = partsOf(reply);
      usage = reply.usageMetadata ?? usage;
      model = reply.modelVersion ?? model;
      finishReason = finishOf(reply) ?? finishReason;
      calls += countCalls(parts);
      if (output()) for (const part of parts) text += String(objectOf(part).text ?? '');
      return parts.length > 0 ? 'content' : undefined;
    },
    result: () => ({
      ...geminiTokens(usage),
      ...detailsOf(model, requestModel, calls),
      finish_reason: finishReason,
      ...(output() && { output: text }),
    }),
    get complete() {
      return finishReason !== undefined;
    },
  };
};

/** Embeddings: the Gemini API reports a usage for all, Vertex AI the tokens of each. */
export const readEmbedding = (reply: Json): EventFields => {
  if (isObject(reply.usageMetadata)) return geminiTokens(reply.usageMetadata);
  const counts = listOf(reply.embeddings).map((one) => objectOf(objectOf(one).statistics).tokenCount);
  if (!counts.some((count) => typeof count === 'number')) return {};
  return { input_tokens: counts.reduce((sum: number, count) => sum + (Number(count) || 0), 0) };
};

/** Images are billed by the piece. */
export const readImages = (reply: Json): EventFields => ({
  usage: {
    images: listOf(reply.generatedImages).filter((one) => isObject(one) && isObject(one.image)).length,
  },
});
