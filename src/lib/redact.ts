import { createSensitive, REDACTED } from './sensitive-keys.ts';

/** A JSON object before and after redaction. */
type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a redacted copy. Its objects have no prototype, so that a key like `__proto__` stays a key. */
export type Redactor = {
  (value: JsonObject): JsonObject;
  (value: unknown): unknown;
};

/** Values nested deeper than this are redacted entirely, because their keys are not checked. */
const MAX_DEPTH = 100;

/** Project keys and access tokens of this product are redacted in any text, whatever the key is. */
const OWN_SECRET = /sl[kt]_[0-9a-f]{64}/gi;
const SECRET_LENGTH = 68;

const withoutSecrets = (text: string): string =>
  text.length < SECRET_LENGTH ? text : text.replace(OWN_SECRET, REDACTED);

const plain = (value: unknown): unknown => (typeof value === 'string' ? withoutSecrets(value) : value);

const hasToJson = (value: object): value is { toJSON: () => unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/**
 * Returns a function that copies a JSON value and replaces every value whose key is one of `keys` by `[REDACTED]`,
 * at any depth and inside arrays. Keys are compared without case, `-`, `_` and spaces. The argument is not
 * changed. A project key or access token of this product is replaced inside any text. Values with `toJSON` (dates) are converted by it, and a circular reference is redacted, because JSON
 * cannot represent it.
 * @example createRedactor(['api_key'])({ 'API-Key': 'x', n: 1 }) // { 'API-Key': '[REDACTED]', n: 1 }
 */
export const createRedactor = (keys: readonly string[]): Redactor => {
  const isSensitive = createSensitive(keys);

  const copy = (given: object, enclosing: object[]): unknown => {
    const value = hasToJson(given) ? given.toJSON() : given;
    if (typeof value !== 'object' || value === null) return plain(value);
    if (enclosing.length >= MAX_DEPTH || enclosing.includes(value)) return REDACTED;
    enclosing.push(value);
    const result = Array.isArray(value) ? copyArray(value, enclosing) : copyObject(value, enclosing);
    enclosing.pop();
    return result;
  };

  const copyArray = (items: readonly unknown[], enclosing: object[]): unknown[] => {
    const result: unknown[] = new Array(items.length);
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      result[i] = typeof item === 'object' && item !== null ? copy(item, enclosing) : plain(item);
    }
    return result;
  };

  const copyObject = (source: object, enclosing: object[]): JsonObject => {
    const result: Record<string, unknown> = Object.create(null);
    const fields = source as JsonObject;
    for (const key of Object.keys(fields)) {
      const item = isSensitive(key) ? REDACTED : fields[key];
      result[key] = typeof item === 'object' && item !== null ? copy(item, enclosing) : plain(item);
    }
    return result;
  };

  function redact(value: JsonObject): JsonObject;
  function redact(value: unknown): unknown;
  function redact(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? copy(value, []) : plain(value);
  }
  return redact;
};
