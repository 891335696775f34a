import type { EventStatus } from './event.ts';

/** The event fields of a failed call. */
export type Failure = { status: EventStatus; error_code: string; error_message: string };

const CODE_LENGTH = 100;

const objectAt = (value: unknown, key: string): Record<string, unknown> => {
  const found =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
};

/** The error of the reply, which Google's client puts into the message as JSON. */
const googleError = (message: string): Record<string, unknown> => {
  if (!message.startsWith('{"error"')) return {};
  try {
    return objectAt(JSON.parse(message), 'error');
  } catch {
    return {};
  }
};

/** The provider's error code: OpenAI has `code`, Anthropic `error.error.type`, Google `status`, AWS a name. */
const providerCode = (
  error: Record<string, unknown>,
  google: Record<string, unknown>,
): string | undefined => {
  const body = objectAt(error, 'error');
  const parsed = objectAt(error, 'data');
  const candidates = [
    google.status,
    '$metadata' in error ? error.name : undefined,
    error.code,
    objectAt(body, 'error').code,
    objectAt(body, 'error').type,
    objectAt(parsed, 'error').code,
    objectAt(parsed, 'error').type,
    body.type,
    error.type,
  ];
  return candidates.find((one): one is string => typeof one === 'string' && one !== '' && one !== 'error');
};

const nameOf = (error: Record<string, unknown>): string => {
  const name = typeof error.name === 'string' ? error.name : '';
  // The error classes of the clients leave `name` at "Error"; the class name says more.
  if (name !== '' && name !== 'Error') return name;
  const made = error.constructor as { name?: unknown } | undefined;
  return typeof made?.name === 'string' && made.name.length > 3 ? made.name : 'Error';
};

const statusOf = (http: number | undefined, code: string, name: string, message: string): EventStatus => {
  if (http === 429 || /rate_?limit|throttl|resource_exhausted|too_?many_?requests/i.test(code))
    return 'rate_limited';
  if (http === 408 || http === 504 || /timeout/i.test(`${name} ${code}`)) return 'timeout';
  if (/abort|cancel/i.test(`${name} ${code}`)) return 'cancelled';
  if (http !== undefined) return 'error';
  if (/timed? ?out/i.test(message)) return 'timeout';
  // Node's message is `aborted`, though nobody cancelled the request.
  if (code === 'ECONNRESET') return 'error';
  return /\babort(ed)?\b|\bcancell?ed\b/i.test(message) ? 'cancelled' : 'error';
};

const read = (error: object): Failure => {
  const given = error as Record<string, unknown>;
  // The AI SDK wraps the error of the last attempt.
  if (typeof given.lastError === 'object' && given.lastError !== null) return read(given.lastError);
  const { httpStatusCode } = objectAt(given, '$metadata');
  const http = [given.status, given.statusCode, httpStatusCode].find((one) => typeof one === 'number');
  const name = nameOf(given);
  const message = typeof given.message === 'string' ? given.message : '';
  const google = googleError(message);
  const code = providerCode(given, google) ?? (http === undefined ? name : String(http));
  const status = statusOf(http, code, name, message);
  const text = typeof google.message === 'string' ? google.message : message;
  return { status, error_code: code.slice(0, CODE_LENGTH), error_message: text };
};

/** Turns any thrown value into event fields. Never throws. */
export const readFailure = (error: unknown): Failure => {
  try {
    if (typeof error === 'object' && error !== null) return read(error);
    return { status: 'error', error_code: 'Error', error_message: String(error) };
  } catch {
    return { status: 'error', error_code: 'Error', error_message: '' };
  }
};
