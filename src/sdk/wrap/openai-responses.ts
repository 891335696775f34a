import type { EventFields } from '../event.ts';
import { readFailure } from '../failure.ts';
import { answerDetails } from './openai-chat.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { isObject, openAiTokens } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

export type ResponsesReaderOptions = {
  readonly output: () => boolean;
  readonly requestModel: string | undefined;
};

/** Events that contain the final response. */
const FINAL = /^response\.(completed|incomplete|failed|cancelled)$/;

/** `completed`, or the reason why a response is incomplete; a failed one has an error instead. */
const finishOf = (response: Json): EventFields => {
  const { status } = response;
  if (status === 'failed') return readFailure(response.error ?? new Error('the response failed'));
  if (status === 'cancelled') return { status: 'cancelled', error_code: 'cancelled' };
  const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
  const reason = typeof details.reason === 'string' ? details.reason : status;
  return { finish_reason: typeof reason === 'string' ? reason : undefined };
};

const countTools = (output: unknown): number =>
  Array.isArray(output)
    ? output.filter((item: unknown) => isObject(item) && String(item.type).endsWith('_call')).length
    : 0;

/** Reads replies of the Responses API (API reference, OpenAI). */
export const createResponsesReader = ({ output, requestModel }: ResponsesReaderOptions): AnswerReader => {
  let final: Json | undefined;
  let failure: EventFields | undefined;
  let last: Json = {};

  const read = (response: Json): EventFields => ({
    ...openAiTokens(response.usage),
    ...answerDetails(response, requestModel, countTools(response.output)),
    ...finishOf(response),
    ...(output() && { output: response.output }),
  });

  return {
    answer: (value) => (isObject(value) ? read(value) : {}),
    piece(value): Piece {
      if (!isObject(value) || typeof value.type !== 'string') return undefined;
      if (isObject(value.response)) last = value.response;
      if (FINAL.test(value.type)) final = last;
      if (value.type === 'error') failure = readFailure(value);
      return value.type.endsWith('.delta') ? 'content' : undefined;
    },
    result: () => ({ ...read(final ?? last), ...failure }),
    get complete() {
      return final !== undefined || failure !== undefined;
    },
  };
};
