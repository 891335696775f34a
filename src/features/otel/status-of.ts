import type { EventStatus } from '../../core/events/contract.ts';
import { ERROR_TYPE, FAILURE_LEVEL, FAILURE_MESSAGE, HTTP_STATUS } from './mapping.ts';
import { cleanText, firstText, lookUp, toNumber } from './source.ts';
import type { Span } from './span.ts';

export type Outcome = {
  readonly status: EventStatus;
  readonly error_code: string | null;
  readonly error_message: string | null;
};

/** What else is known of a span: whether it is a call, and whether its model answered. */
type Known = { readonly isCall: boolean; readonly answered: boolean; readonly finish: string | null };

const SUCCESS: Outcome = { status: 'success', error_code: null, error_message: null };
const MAX_CODE = 200;
const MAX_MESSAGE = 10_000;
/** The cause is at the start of a message; what follows may be a page of HTML. */
const LOOKED_AT = 2_000;

const PATTERNS: readonly [EventStatus, RegExp][] = [
  ['rate_limited', /rate.?limit|\b429\b|resource_exhausted|too many requests/i],
  ['timeout', /timed? ?out|timeout|deadline/i],
  ['cancelled', /abort|cancel/i],
];

/** How the span ended. Only a call can be rate limited: what stands around it failed because of it. */
export function statusOf(span: Span, known: Known): Outcome {
  const http = httpStatus(span);
  if (!hasFailed(span, http, known)) return SUCCESS;
  const type =
    firstText(span, { from: ERROR_TYPE, max: MAX_CODE }) ?? ofException(span, 'exception.type', MAX_CODE);
  const message = messageOf(span);
  const status = classify(http, [type, message]);
  return {
    status: status === 'rate_limited' && !known.isCall ? 'error' : status,
    error_code: type ?? (http !== null && http >= 400 ? String(http) : status),
    error_message: message,
  };
}

/** The status that an HTTP answer stands for, or the words of the error's type and message. */
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

export function httpStatus(span: Span): number | null {
  for (const source of HTTP_STATUS) {
    const status = toNumber(lookUp(span, source));
    if (status !== null && status >= 100 && status <= 599) return status;
  }
  return null;
}

/**
 * A status of 2, or what stands for it: Langfuse's level, an HTTP error of the call itself, a finish
 * reason `error`, and an exception on a span that is not marked as failed but holds no answer either
 * (LangSmith). An exception beside an answer was caught.
 */
function hasFailed(span: Span, http: number | null, known: Known): boolean {
  if (span.statusCode === 2 || span.attributes.get(FAILURE_LEVEL.attribute) === FAILURE_LEVEL.value)
    return true;
  if (span.exception !== null && isLangSmith(span)) return true;
  if (!known.isCall) return false;
  if ((http !== null && http >= 400) || known.finish === 'error') return true;
  return span.exception !== null && !known.answered;
}

function isLangSmith(span: Span): boolean {
  for (const name of span.attributes.keys()) if (name.startsWith('langsmith.')) return true;
  return false;
}

function messageOf(span: Span): string | null {
  return (
    cleanText(span.statusMessage, MAX_MESSAGE) ??
    ofException(span, 'exception.message', MAX_MESSAGE) ??
    firstText(span, { from: FAILURE_MESSAGE, max: MAX_MESSAGE })
  );
}

function ofException(span: Span, name: string, max: number): string | null {
  return cleanText(span.exception?.get(name), max);
}
