import { backoff, retryAfter } from './retry.ts';
import type { Answer, Lost } from './transport.ts';

/** The consequence of the server's reply for a batch. */
export type Verdict =
  | {
      readonly kind: 'stored';
      readonly accepted: number;
      readonly duplicates: number;
      readonly rejected: readonly { readonly line: number; readonly error: string }[];
      readonly warnings: readonly { readonly lines: number; readonly message: string }[];
      readonly configVersion: number | null;
    }
  /** Retry unchanged after this many milliseconds; `asked`: the server named the time. */
  | { readonly kind: 'again'; readonly afterMs: number; readonly asked: boolean; readonly reason: string }
  /** The body is too large; send it in parts. */
  | { readonly kind: 'split' }
  /** Never retry. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unauthorized' };

type ReplyBody = {
  accepted?: unknown;
  duplicates?: unknown;
  rejected?: unknown;
  warnings?: unknown;
  configVersion?: unknown;
  error?: unknown;
};

const bodyOf = (answer: Answer): ReplyBody =>
  typeof answer.body === 'object' && answer.body !== null ? (answer.body as ReplyBody) : {};

const numberOr = <T>(value: unknown, other: T): number | T => (typeof value === 'number' ? value : other);

const isWarning = (given: unknown): given is { lines: number; message: string } => {
  const { lines, message } = (given ?? {}) as { lines?: unknown; message?: unknown };
  return typeof lines === 'number' && typeof message === 'string';
};

const stored = (body: ReplyBody, accepted: number): Verdict => ({
  kind: 'stored',
  accepted,
  duplicates: numberOr(body.duplicates, 0),
  rejected: Array.isArray(body.rejected) ? body.rejected : [],
  warnings: Array.isArray(body.warnings) ? body.warnings.filter(isWarning) : [],
  configVersion: numberOr(body.configVersion, null),
});

const WRONG_ADDRESS = 'set SPANLEDGER_BASE_URL to the address of the Spanledger server';

/**
 * Reads the reply to a batch of `sent` events. 429, 503, other server errors, missing replies and replies without a
 * receipt are retried; 400 and other client errors are not; 401 stops the client.
 * @param failures number of failed attempts of the batch, including this one.
 */
export const judge = (answer: Answer | Lost, sent: number, failures: number): Verdict => {
  if (answer.status === null) {
    return { kind: 'again', afterMs: backoff(failures), asked: false, reason: answer.reason };
  }
  const { status } = answer;
  const body = bodyOf(answer);
  const reason = `${status}${typeof body.error === 'string' ? ` ${body.error}` : ''}`;
  if (status >= 300 && status < 400) {
    return { kind: 'refused', reason: `${status}, a redirect: set SPANLEDGER_BASE_URL to its target` };
  }
  if (status >= 200 && status < 300) {
    const { accepted } = body;
    if (typeof accepted === 'number') return stored(body, accepted);
    // The page of a proxy, or another web server: only a receipt says that events are stored.
    const why = `${status} without a receipt: ${WRONG_ADDRESS}`;
    return { kind: 'again', afterMs: backoff(failures), asked: false, reason: why };
  }
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 413 && sent > 1) return { kind: 'split' };
  if (status === 429 || status === 408 || status >= 500) {
    const asked = retryAfter(answer.retryAfter, Date.now());
    // Adds a little time, so that many clients do not return at the same moment.
    const afterMs = asked === null ? backoff(failures) : asked + Math.random() * Math.min(1_000, asked / 10);
    return { kind: 'again', afterMs, asked: asked !== null, reason };
  }
  return { kind: 'refused', reason: status === 404 ? `${reason}: ${WRONG_ADDRESS}` : reason };
};
