import { APICallError } from '@ai-sdk/provider';
import { OutboundError } from '../outbound/index.ts';
import type { CallEnd } from './contract.ts';

/** Why a call failed, as its event says it. */
export type Failure = {
  readonly status: Exclude<CallEnd['status'], 'success'>;
  readonly code: string;
  /** For people; without the key of the provider. */
  readonly message: string;
  /** Whether the provider may have done work that it bills. */
  readonly mayBeBilled: boolean;
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean;
  /** What the provider demands to wait in milliseconds; null if it says nothing. */
  readonly retryAfterMs: number | null;
};

/** How this side ended a call. */
export type Ended = 'cancelled' | 'idle' | 'stopped';

const MAX_MESSAGE = 1_000;
/** Longest text in which a key is looked for. */
const MAX_SEARCHED = 100_000;

const plain = { isTransient: false, retryAfterMs: null } as const;

const ENDED: Readonly<Record<Ended, Failure>> = {
  cancelled: {
    ...plain,
    status: 'cancelled',
    code: 'cancelled',
    message: 'The call was stopped',
    mayBeBilled: true,
  },
  stopped: {
    ...plain,
    status: 'cancelled',
    code: 'server_stopped',
    message: 'The server stopped during the call',
    mayBeBilled: true,
  },
  idle: {
    ...plain,
    status: 'timeout',
    code: 'timeout',
    message: 'The provider sent nothing for too long',
    mayBeBilled: true,
  },
};

export const endedFailure = (ended: Ended): Failure => ENDED[ended];

/** @param apiKey removed from texts of the provider, some of which repeat it */
export function toFailure(error: unknown, apiKey: string | null): Failure {
  const outbound = causeOf(error, (cause) => cause instanceof OutboundError);
  if (outbound instanceof OutboundError) return fromOutbound(outbound);
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300)
    return fromReply(error, apiKey);
  const message = cleaned(messageOf(error), apiKey);
  const code = 'invalid_reply';
  return {
    ...plain,
    status: 'error',
    code,
    message: `The reply of the provider cannot be read: ${message}`,
    mayBeBilled: true,
  };
}

function causeOf(error: unknown, is: (cause: unknown) => boolean): unknown {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (is(cause)) return cause;
  return null;
}

/** Failures before a request was sent: nothing can be billed. */
const UNSENT: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls', 'not_connected']);
const TRANSIENT: ReadonlySet<string> = new Set(['unreachable', 'not_connected']);

function fromOutbound({ code, message }: OutboundError): Failure {
  return {
    status: code === 'timeout' ? 'timeout' : 'error',
    code: code === 'timeout' ? code : `connection_${code}`,
    message,
    mayBeBilled: !UNSENT.has(code),
    isTransient: TRANSIENT.has(code),
    retryAfterMs: null,
  };
}

function fromReply(error: APICallError, apiKey: string | null): Failure {
  const { statusCode = 0 } = error;
  const status =
    statusCode === 429 ? 'rate_limited' : statusCode === 408 || statusCode === 504 ? 'timeout' : 'error';
  return {
    status,
    code: codeIn(error.data) ?? `http_${statusCode}`,
    message: `The provider replied ${statusCode}${hintOf(statusCode)}: ${cleaned(error.message, apiKey)}`,
    mayBeBilled: statusCode === 504,
    isTransient: statusCode === 408 || statusCode === 409 || statusCode === 429 || statusCode >= 500,
    retryAfterMs: retryAfterOf(error.responseHeaders ?? {}),
  };
}

function hintOf(status: number): string {
  if (status < 400) return ' (a redirect, which is not followed; correct the address)';
  return status === 401 || status === 403 ? " (the operator has to check the provider's key)" : '';
}

/** The code in an error body of OpenAI (`code`, `type`), Anthropic (`type`) or Google (`status`). */
function codeIn(data: unknown): string | null {
  const error = (data as { error?: unknown } | null | undefined)?.error as
    | Record<string, unknown>
    | undefined;
  const found = [error?.code, error?.status, error?.type].find(
    (value) => typeof value === 'string' && /^[\w.-]{1,100}$/.test(value),
  );
  return typeof found === 'string' ? found : null;
}

/** `retry-after-ms` (OpenAI) or `Retry-After`, in seconds or as a date. */
function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers['retry-after'];
  if (after === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const at = Date.parse(after);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

const messageOf = (error: unknown): string => {
  if (error instanceof Error) return error.message;
  if (typeof error === 'string') return error;
  return JSON.stringify(error) ?? '';
};

/** Without the key, and without what looks like one of another account. */
function cleaned(text: string, apiKey: string | null): string {
  const known = text.slice(0, MAX_SEARCHED).replace(/\0/g, '');
  const without = apiKey === null || apiKey.length < 4 ? known : known.replaceAll(apiKey, '[key]');
  return without
    .replace(/\b(?:sk|key|AIza)[-_][\w*.-]{6,}/g, '[key]')
    .slice(0, MAX_MESSAGE)
    .toWellFormed();
}
