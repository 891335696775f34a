import type { EventStatus } from '../../../core/events/contract.ts';
import { cleanText, readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { ERROR_TYPE, FAILURE_LEVEL, FAILURE_MESSAGE, HTTP_STATUS, UNSET_IS_CANCELLED } from './mapping.ts';

export type Outcome = {
  readonly status: EventStatus;
  readonly error_code: string | null;
  readonly error_message: string | null;
};

/** Start of a quoted answer in error messages (Vercel AI SDK, pydantic). */
const QUOTED_ANSWER = /(?:: (?:Value|Text): |\binput_value=)/;

/** Other facts about a span: whether it is a call, and whether its model answered. */
type Known = { readonly isCall: boolean; readonly answered: boolean; readonly finish: string | null };

const SUCCESS: Outcome = { status: 'success', error_code: null, error_message: null };
const ABORTED: Outcome = { status: 'cancelled', error_code: 'cancelled', error_message: null };
const MAX_CODE = 200;
const MAX_MESSAGE = 10_000;
/** Characters of a message to search. The cause is at its start; a page of HTML may follow. */
const LOOKED_AT = 2_000;

const PATTERNS: readonly [EventStatus, RegExp][] = [
  // Node's message is `aborted`, though nobody cancelled the request.
  ['error', /\bECONNRESET\b/],
  ['rate_limited', /rate.?limit|\b429\b|resource_exhausted|too many requests/i],
  ['timeout', /timed? ?out|timeout|deadline/i],
  ['cancelled', /abort|cancel/i],
];
/** `429 Rate limit reached`, `Error: 500 The server had an error`: the SDKs put the HTTP status first. */
const LEADING_STATUS = /^(?:\w*Error: )?([45]\d\d)\b/;

/** The status of a span. Only a call can be rate limited; the spans around it failed because of it. */
export function statusOf(span: Span, known: Known): Outcome {
  const http = readField(span, HTTP_STATUS);
  if (!hasFailed(span, http, known)) return wasAborted(span, known) ? ABORTED : SUCCESS;
  const type = readField(span, ERROR_TYPE) ?? cleanText(span.exception?.get('exception.type'), MAX_CODE);
  const message = messageOf(span);
  const status = classify(http, [type, message]);
  return {
    status: status === 'rate_limited' && !known.isCall ? 'error' : status,
    error_code: type ?? codeOf(http, message) ?? status,
    error_message: message,
  };
}

/** Derives the status from an HTTP status, or from the error's type and message. */
export function classify(http: number | null, words: readonly (string | null)[]): EventStatus {
  if (http === 429) return 'rate_limited';
  if (http === 408 || http === 504) return 'timeout';
  for (const text of words) {
    const found =
      text === null ? undefined : PATTERNS.find(([, pattern]) => pattern.test(text.slice(0, LOOKED_AT)));
    if (found !== undefined) return found[0];
  }
  return 'error';
}

function codeOf(http: number | null, message: string | null): string | null {
  if (http !== null && http >= 400) return String(http);
  return message === null ? null : (LEADING_STATUS.exec(message)?.[1] ?? null);
}

/**
 * Whether a span failed: status 2 or an equivalent, which is Langfuse's level, an HTTP error of the call, the finish
 * reason `error`, or an exception on a span without failure status and without an answer (LangSmith). A span with an
 * answer caught its exception.
 */
function hasFailed(span: Span, http: number | null, known: Known): boolean {
  if (span.statusCode === 2 || readField(span, FAILURE_LEVEL) === true) return true;
  if (span.exception !== null && isLangSmith(span)) return true;
  if (!known.isCall) return false;
  if ((http !== null && http >= 400) || known.finish === 'error') return true;
  return span.exception !== null && !known.answered;
}

const wasAborted = (span: Span, { isCall }: Known): boolean =>
  isCall && span.statusCode === 0 && UNSET_IS_CANCELLED.has(span.scope.name);

function isLangSmith(span: Span): boolean {
  for (const name of span.attributes.keys()) if (name.startsWith('langsmith.')) return true;
  return false;
}

/** An error message without a quoted answer of the model, which is content. */
export function withoutAnswer(message: string | null): string | null {
  const at = message?.search(QUOTED_ANSWER) ?? -1;
  return message === null || at < 0 ? message : `${message.slice(0, at)} …`;
}

/** The error message without the stack that LangChain appends. */
function messageOf(span: Span): string | null {
  const message =
    cleanText(span.statusMessage, MAX_MESSAGE) ??
    cleanText(span.exception?.get('exception.message'), MAX_MESSAGE) ??
    readField(span, FAILURE_MESSAGE);
  return message?.split(/\n\s+at /, 1)[0]?.trimEnd() || null;
}
