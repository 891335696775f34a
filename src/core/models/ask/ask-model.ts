import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import type { ModelAnswer } from '../answer.ts';
import { type CallOptions, callModel, type ModelCall } from '../call-model.ts';
import type { ChatMessage } from '../contract.ts';
import { modelsOf } from '../models-of.ts';
import { outputReader, readJson } from '../output-reader.ts';
import { findKept, nextAttempt, readKept, repairKey } from './kept-answers.ts';

/** What a job asks a model. `config.responseFormat` with a schema asks for JSON, which is then checked. */
export type Question = Omit<ModelCall, 'stream' | 'once' | 'isBackground'> & {
  /**
   * The caller's name for this call, unique in the project, such as `experiment/<id>/<item>/<repetition>`. With it, a
   * call that succeeded is not made again, also after a crash: its answer is kept until `forgetAnswers`, at most for 7
   * days. Null keeps nothing.
   */
  readonly key: string | null;
};

/** How a question ended. */
export type Answered = {
  /** `success`; `invalid` if the output is not what `responseFormat` asks for, also after a repair; or how the call failed. */
  readonly status: ModelAnswer['status'] | 'invalid';
  /** Why it is no success, for people; null for a success. */
  readonly error: string | null;
  /** The output as JSON, if it was asked for and is valid; else undefined. */
  readonly value: unknown;
  readonly text: string;
  /** The calls that were made, oldest first: one, or two if the output was repaired. Each is an event. */
  readonly calls: readonly ModelAnswer[];
  /** What they cost together, in USD; null if a cost is unknown. */
  readonly costUsd: number | null;
};

const MAX_KEY = 300;
/** Longest part of an output that a repair repeats. */
const MAX_REPEATED = 20_000;

/**
 * Asks a model from a job: waits for a place among the organization's background calls, checks JSON against its schema
 * and has the model repair it once. Each call is an event of the project, with its real cost and under the monthly cap.
 * Of a call that a crash interrupted, the outcome is unknown: it is recorded as cancelled and made again.
 * @param options.signal ends the wait or the call
 * @throws AppError before anything was sent: 400 for a model, messages or schema that cannot be used, 429 if the monthly
 * cap or the quota of events is used up (`Retry-After` says until when), 503 if no model is configured; the signal's
 * reason if it ended the wait
 */
export async function askModel(
  ctx: Ctx,
  question: Question,
  options: Pick<CallOptions, 'signal'> = {},
): Promise<Answered> {
  const { key, ...asked } = question;
  if (key !== null && key.length > MAX_KEY) throw badRequest(`key: has more than ${MAX_KEY} characters`);
  const { warning } = outputReader(question.config);
  if (warning !== null) throw badRequest(warning);
  const call = { ...asked, stream: false, isBackground: true };
  const first = await callOnce(ctx, call, key, options);
  if (first.outputProblem === null) return toAnswered(question, [first]);
  const messages = [...call.messages, ...repairMessages(first)];
  const second = await callOnce(ctx, { ...call, messages }, key === null ? null : repairKey(key), options);
  return toAnswered(question, [first, second]);
}

async function callOnce(
  ctx: Ctx,
  call: ModelCall,
  key: string | null,
  options: CallOptions,
): Promise<ModelAnswer> {
  if (key === null) return callModel(ctx, call, options);
  const { keyed } = modelsOf(ctx);
  const name = JSON.stringify([call.scope.projectId, key]);
  const running = keyed.get(name);
  if (running !== undefined) return running;
  const made = (async () => {
    const last = await findKept(ctx, call.scope, key);
    const kept = last === null ? null : await readKept(ctx, call.scope, last);
    return kept ?? callModel(ctx, { ...call, once: nextAttempt(call.scope, key, last) }, options);
  })().finally(() => keyed.delete(name));
  keyed.set(name, made);
  return made;
}

function repairMessages({ text, outputProblem }: ModelAnswer): ChatMessage[] {
  return [
    // Providers refuse empty messages.
    ...(text.trim() === '' ? [] : [{ role: 'assistant' as const, content: text.slice(0, MAX_REPEATED) }]),
    {
      role: 'user',
      content: `Your answer does not have the form that was asked for: ${outputProblem}. Answer again, with the corrected JSON and nothing else.`,
    },
  ];
}

function toAnswered({ config }: Question, calls: readonly [ModelAnswer, ...ModelAnswer[]]): Answered {
  const last = calls.at(-1) ?? calls[0];
  const isInvalid = last.status === 'success' && last.outputProblem !== null;
  const isJson = config.responseFormat?.type === 'json' && last.toolCalls.length === 0;
  return {
    status: isInvalid ? 'invalid' : last.status,
    error: isInvalid
      ? `The model did not answer in the form that was asked for: ${last.outputProblem}`
      : last.error,
    value: isJson && last.status === 'success' && !isInvalid ? readJson(last.text).value : undefined,
    text: last.text,
    calls,
    costUsd: sumOf(calls),
  };
}

/** Summed as nano-dollars, which are exact. */
function sumOf(calls: readonly ModelAnswer[]): number | null {
  let nano = 0;
  for (const { costUsd } of calls) {
    if (costUsd === null) return null;
    nano += Math.round(costUsd * 1e9);
  }
  return nano / 1e9;
}
