import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { CallPart } from './contract.ts';
import { type Ended, endedFailure, type Failure, toFailure } from './failure.ts';
import { addPart, addResult, emptyReply, type Gathered } from './gather.ts';

/** Attempts of a call in all. */
const MAX_ATTEMPTS = 3;
const FIRST_DELAY_MS = 500;
/** A provider that demands a longer wait is not asked again. */
const MAX_DELAY_MS = 20_000;
/** Longest silence of a provider once it replies. */
const IDLE_MS = 120_000;

export type Requested = {
  /** @param onReply called when a successful reply begins */
  open(onReply: () => void): Promise<LanguageModelV4>;
  readonly options: LanguageModelV4CallOptions;
  readonly stream: boolean;
  /** Removed from the texts of errors. */
  readonly apiKey: string | null;
  /** Its reason is `cancelled` or `stopped`. */
  readonly signal: AbortSignal;
  readonly emit: (part: CallPart) => void;
};

export type Reply = { readonly reply: Gathered; readonly failure: Failure | null; readonly attempts: number };

/** Asks a model, and again after failures that may pass, but never once content has arrived. Never rejects. */
export async function requestReply(asked: Requested): Promise<Reply> {
  for (let attempts = 1; ; attempts++) {
    const reply = emptyReply();
    const failure = await attempt(asked, reply);
    const delay = failure === null ? null : delayAfter(failure, reply, attempts);
    if (failure === null || delay === null || asked.signal.aborted) return { reply, failure, attempts };
    asked.emit({
      type: 'retrying',
      attempt: attempts + 1,
      afterMs: Math.round(delay),
      error: failure.message,
    });
    if (!(await waited(delay, asked.signal))) return { reply, failure: endedBy(asked.signal), attempts };
  }
}

/** Milliseconds until the next attempt; null if there is none. */
function delayAfter(
  { isTransient, retryAfterMs }: Failure,
  reply: Gathered,
  attempts: number,
): number | null {
  if (!isTransient || reply.firstAt !== null || attempts >= MAX_ATTEMPTS) return null;
  // At least half of the delay, so that many callers do not come back at once.
  const delay = retryAfterMs ?? FIRST_DELAY_MS * 2 ** (attempts - 1) * (0.5 + Math.random() / 2);
  return delay > MAX_DELAY_MS ? null : delay;
}

/** False if the signal ended the wait. */
function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), ms);
  const abort = (): void => resolve(false);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}

async function attempt(asked: Requested, reply: Gathered): Promise<Failure | null> {
  const idle = new AbortController();
  let hasBegun = false;
  const signal = AbortSignal.any([asked.signal, idle.signal]);
  try {
    const model = await asked.open(() => {
      hasBegun = true;
    });
    if (asked.stream) await readStream(model, asked, { reply, signal, idle });
    else addResult(reply, await model.doGenerate({ ...asked.options, abortSignal: signal }), asked.emit);
  } catch (error) {
    if (asked.signal.aborted) return endedBy(asked.signal);
    if (idle.signal.aborted) return endedFailure('idle');
    const failure = toFailure(error, asked.apiKey);
    // A reply that began is billed, so a lost connection is not tried again.
    return hasBegun && failure.mayBeBilled ? { ...failure, isTransient: false } : failure;
  }
  if (asked.signal.aborted) return endedBy(asked.signal);
  if (reply.error !== null) return toFailure(reply.error, asked.apiKey);
  return reply.isComplete ? null : toFailure(new Error('it ended before it was complete'), null);
}

type Reading = { readonly reply: Gathered; readonly signal: AbortSignal; readonly idle: AbortController };

async function readStream(
  model: LanguageModelV4,
  asked: Requested,
  { reply, signal, idle }: Reading,
): Promise<void> {
  const { stream } = await model.doStream({
    ...asked.options,
    includeRawChunks: true,
    abortSignal: signal,
  });
  const reader = stream.getReader();
  const abort = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => idle.abort(), IDLE_MS);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      timer.refresh();
      addPart(reply, part.value, asked.emit);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
  signal.throwIfAborted();
}

const endedBy = ({ reason }: AbortSignal): Failure =>
  endedFailure((reason === 'stopped' ? 'stopped' : 'cancelled') satisfies Ended);
