import type { EventFields } from '../event.ts';
import { readFailure } from '../failure.ts';
import { answerDetails } from './openai-chat.ts';
import type { AnswerReader, Piece } from './reader.ts';
import { idsOf } from './result-id.ts';
import { isObject, openAiTokens } from './usage.ts';

type Json = Readonly<Record<string, unknown>>;

export type ResponsesReaderOptions = {
  readonly output: () => boolean;
  readonly requestModel: string | undefined;
};

/** Events that contain the final response. */
const FINAL = /^response\.(completed|incomplete|failed|cancelled)$/;

/**
 * `completed`, or the reason why a response is incomplete; a failed one has an error instead. Realtime responses have
 * both in `status_details`.
 */
const finishOf = (response: Json): EventFields => {
  const { status } = response;
  const given = response.incomplete_details ?? response.status_details;
  const details = isObject(given) ? given : {};
  const reason = typeof details.reason === 'string' ? details.reason : status;
  if (status === 'failed')
    return readFailure(response.error ?? details.error ?? new Error('the response failed'));
  if (status === 'cancelled') return { status: 'cancelled', error_code: String(reason) };
  return { finish_reason: typeof reason === 'string' ? reason : undefined };
};

const isPending = ({ status }: Json): boolean => status === 'queued' || status === 'in_progress';

/** Whether a response that was made in the background has ended. */
export const endsBackground = (response: Json): boolean =>
  response.background === true && !isPending(response);

/** What the ids of its event follow from: it may be read several times. */
export const backgroundName = ({ id }: Json): string => `response:${String(id)}`;

/** What a request says that only starts a response: no call yet. That is recorded when the response is retrieved. */
const STARTED: EventFields = { kind: 'span', name: 'background response' };

const countTools = (output: unknown): number =>
  Array.isArray(output)
    ? output.filter((item: unknown) => isObject(item) && String(item.type).endsWith('_call')).length
    : 0;

/** Reads replies of the Responses API (API reference, OpenAI). */
export const createResponsesReader = ({ output, requestModel }: ResponsesReaderOptions): AnswerReader => {
  let final: Json | undefined;
  let failure: EventFields | undefined;
  let last: Json = {};

  const read = (response: Json): EventFields => {
    if (response.background === true && isPending(response)) return STARTED;
    return {
      ...openAiTokens(response.usage),
      ...answerDetails(response, requestModel, countTools(response.output)),
      ...finishOf(response),
      ...(output() && { output: response.output }),
      ...(endsBackground(response) && { event_id: idsOf(backgroundName(response)).event_id }),
    };
  };

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
