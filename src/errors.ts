import { formatInstant } from './lib/time.ts';

/** Kind of failure, for code that reacts to it. Messages are for people and may change. */
export type ErrorCode =
  | 'bad_request'
  | 'invalid_api_key'
  | 'not_authenticated'
  | 'forbidden'
  | 'not_a_member'
  | 'role_too_low'
  | 'second_factor_required'
  | 'second_factor_missing'
  | 'sign_in_again'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'unavailable'
  | 'damaged'
  | 'failed';

/** Default code by status. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'not_authenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/**
 * The one class for failures that a caller may see. `message` is public and is sent as `{ "error": message }`;
 * `cause` is only logged. Any other error becomes `500 Internal server error`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the reply beside `error`. */
  readonly more: Readonly<Record<string, unknown>>;
  /** Plain data for code that reacts to the failure; never shown. */
  readonly data: unknown;

  constructor(
    status: number,
    message: string,
    options: {
      cause?: unknown;
      headers?: Readonly<Record<string, string>>;
      code?: ErrorCode | undefined;
      more?: Readonly<Record<string, unknown>>;
      data?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.code = options.code ?? CODES[status] ?? 'failed';
    this.headers = options.headers ?? {};
    this.more = options.more ?? {};
    this.data = options.data;
  }
}

/** 400: the request is invalid; `message` says what is wrong and how to fix it. */
export const badRequest = (message: string): AppError => new AppError(400, message);
/** 401 for a missing, unknown, revoked or expired project key. `hint` says what to send where another credential came. */
export const invalidApiKey = (hint?: string): AppError =>
  new AppError(401, 'Invalid API key', {
    code: 'invalid_api_key',
    ...(hint !== undefined && { more: { hint } }),
  });
/** 401 for a project key after its expiry (epoch milliseconds). Only who sends the whole key learns its name. */
export const expiredApiKey = (name: string, at: number): AppError =>
  new AppError(
    401,
    `Invalid API key: ${JSON.stringify(name)} expired at ${formatInstant(at)}; create a new one`,
    {
      code: 'invalid_api_key',
    },
  );
/** 401 for a missing, expired or forged bearer token, and for a failed sign-in. `hint` as for `invalidApiKey`. */
export const notAuthenticated = (hint?: string): AppError =>
  new AppError(401, 'Not authenticated', hint === undefined ? {} : { more: { hint } });
/**
 * 403 for another organization's resource. A missing resource gets the same reply, so that its existence stays
 * hidden.
 */
export const notAMember = (): AppError =>
  new AppError(403, 'Not a member of this organization', { code: 'not_a_member' });
/** 403 for a member whose role is below the required one. */
export const roleTooLow = (role: string, least: string): AppError =>
  new AppError(403, `This requires the role ${least}; yours is ${role}`, { code: 'role_too_low' });
/** 403 for a member without a second factor, where the organization requires one. */
export const secondFactorMissing = (): AppError =>
  new AppError(403, 'This organization requires a second factor; add one under Account security', {
    code: 'second_factor_missing',
    more: { code: 'second_factor_missing' },
  });
/** 404 for a resource inside an organization that the caller can see. */
export const notFound = (message: string): AppError => new AppError(404, message);
/** 409: the current state does not allow the request. */
export const conflict = (message: string, cause?: unknown): AppError => new AppError(409, message, { cause });
/** 413 for a body over the limit that `message` names. */
export const tooLarge = (message: string): AppError => new AppError(413, message);
/** 429 from the sliding-window rate limit; a retry after `seconds` succeeds. */
export const rateLimited = (seconds: number): AppError =>
  new AppError(429, 'Rate limit exceeded', { headers: { 'Retry-After': String(seconds) } });
/** 429 from the monthly quota; `seconds` until the next month starts. */
export const quotaExceeded = (seconds: number): AppError =>
  new AppError(429, 'Monthly quota exceeded', {
    code: 'quota_exceeded',
    headers: { 'Retry-After': String(seconds) },
  });
/** Whether an error is `quotaExceeded`, the only 429 that the store throws. */
export const isQuotaExceeded = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'quota_exceeded';
/** 503: nothing was stored; the same request may succeed after `seconds`. */
export const unavailable = (message: string, seconds = 1, cause?: unknown): AppError =>
  new AppError(503, message, { cause, headers: { 'Retry-After': String(seconds) } });
