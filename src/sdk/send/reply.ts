import { backoff, retryAfter } from './retry.ts';
import type { Answer, Lost } from './transport.ts';

/** What the server's answer to a batch means for it. */
export type Verdict =
  | {
      readonly kind: 'stored';
      readonly accepted: number;
      readonly duplicates: number;
      readonly rejected: readonly { readonly line: number; readonly error: string }[];
      readonly configVersion: number | null;
    }
  /** To be sent again, unchanged, after so many milliseconds; `asked`: the server named the time. */
  | { readonly kind: 'again'; readonly afterMs: number; readonly asked: boolean; readonly reason: string }
  /** Too large as a whole. */
  | { readonly kind: 'split' }
  /** Never to be sent again. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unauthorized' };

type ReplyBody = {
  accepted?: unknown;
  duplicates?: unknown;
  rejected?: unknown;
  configVersion?: unknown;
  error?: unknown;
};

const bodyOf = (answer: Answer): ReplyBody =>
  typeof answer.body === 'object' && answer.body !== null ? (answer.body as ReplyBody) : {};

const numberOr = <T>(value: unknown, other: T): number | T => (typeof value === 'number' ? value : other);

const stored = (body: ReplyBody, sent: number): Verdict => ({
  kind: 'stored',
  accepted: numberOr(body.accepted, sent),
  duplicates: numberOr(body.duplicates, 0),
  rejected: Array.isArray(body.rejected) ? body.rejected : [],
  configVersion: numberOr(body.configVersion, null),
});

/**
 * Reads the answer to a batch of `sent` events (interface.md, Errors): 429, 503, every other fault of the
 * server and silence are tried again; 400 and its like never; 401 ends it all.
 * @param failures how many tries of the batch have failed, this one included.
 */
export const judge = (answer: Answer | Lost, sent: number, failures: number): Verdict => {
  if (answer.status === null) {
    return { kind: 'again', afterMs: backoff(failures), asked: false, reason: answer.reason };
  }
  const { status } = answer;
  const body = bodyOf(answer);
  const reason = `${status}${typeof body.error === 'string' ? ` ${body.error}` : ''}`;
  if (status >= 300 && status < 400) {
    return { kind: 'refused', reason: `${status}, a redirect: set SPANLEDGER_BASE_URL to where it leads` };
  }
  if (status >= 200 && status < 300) return stored(body, sent);
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 413 && sent > 1) return { kind: 'split' };
  if (status === 429 || status === 408 || status >= 500) {
    const asked = retryAfter(answer.retryAfter, Date.now());
    // A little later than asked, so that many clients do not come back at the same moment.
    const afterMs = asked === null ? backoff(failures) : asked + Math.random() * Math.min(1_000, asked / 10);
    return { kind: 'again', afterMs, asked: asked !== null, reason };
  }
  return { kind: 'refused', reason };
};
