/**
 * The one class for failures that a caller may see. `message` is public and goes out as
 * `{ "error": message }`; `cause` is only logged. Anything that is not an AppError is answered
 * with `500 Internal server error` (interface.md, Errors).
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

/** 400: the request is wrong as it stands; `message` names what and how to mend it. */
export const badRequest = (message: string): AppError => new AppError(400, message);
/** 401 for a missing, unknown, revoked or expired project key. */
export const invalidApiKey = (): AppError => new AppError(401, 'Invalid API key');
/** 401 for a missing, expired or forged bearer token, and for a wrong sign-in. */
export const notAuthenticated = (): AppError => new AppError(401, 'Not authenticated');
/** 403 for another organization's resource, and for one that does not exist: the two answer alike. */
export const notAMember = (): AppError => new AppError(403, 'Not a member of this organization');
/** 403 for a member whose role is less than what this takes. */
export const roleTooLow = (role: string, least: string): AppError =>
  new AppError(403, `This takes the role ${least}; yours is ${role}`);
/** 404 inside something the caller may see. */
export const notFound = (message: string): AppError => new AppError(404, message);
/** 409: the state of things forbids it. */
export const conflict = (message: string, cause?: unknown): AppError => new AppError(409, message, { cause });
/** 413 for a body over the limit that `message` names. */
export const tooLarge = (message: string): AppError => new AppError(413, message);
/** 429 of the sliding window; a retry after `seconds` succeeds. */
export const rateLimited = (seconds: number): AppError =>
  new AppError(429, 'Rate limit exceeded', { headers: { 'Retry-After': String(seconds) } });
/** 429 of the month's quota; `seconds` lead to the start of next month. */
export const quotaExceeded = (seconds: number): AppError =>
  new AppError(429, 'Monthly quota exceeded', { headers: { 'Retry-After': String(seconds) } });
/** Whether an error is `quotaExceeded`: only a full month is a 429 of the store. */
export const isQuotaExceeded = (error: unknown): boolean =>
  error instanceof AppError && error.status === 429 && error.message === 'Monthly quota exceeded';
/** 503: nothing was stored; the same request may succeed after `seconds`. */
export const unavailable = (message: string, seconds = 1, cause?: unknown): AppError =>
  new AppError(503, message, { cause, headers: { 'Retry-After': String(seconds) } });
