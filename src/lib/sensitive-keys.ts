/**
 * Key names whose values are redacted by default. The server and the TypeScript client use this list and this
 * comparison, so that both redact the same keys.
 */
export const DEFAULT_REDACT_KEYS: readonly string[] = [
  'password',
  'passwd',
  'secret',
  'token',
  'api_key',
  'apikey',
  'authorization',
  'cookie',
  'set-cookie',
  'access_token',
  'refresh_token',
  'private_key',
  'ssn',
  'credit_card',
  'card_number',
  'cvv',
];

/** Replaces a redacted value. */
export const REDACTED = '[REDACTED]';

/** Whether the value of a key must be redacted. */
export type IsSensitive = (key: string) => boolean;

/** Key names cached with their verdict; an application uses few. */
const REMEMBERED_KEYS = 2_000;

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Normalises a name for comparison. Full-width and other compatibility letters become plain ones; case, spaces,
 * accents, invisible characters, dashes and connectors are removed.
 */
const normalizeKey = (key: string): string =>
  NOT_ASCII.test(key)
    ? key
        .normalize('NFKD')
        .replace(/[\s\p{M}\p{Cf}\p{Pd}\p{Pc}]/gu, '')
        .toLowerCase()
    : key.replace(/[-_\s]/g, '').toLowerCase();

/**
 * Returns a test for keys that equal one of `names`. Case, `-`, `_` and spaces are ignored.
 * @example createSensitive(['api_key'])('API-Key') // true
 */
export const createSensitive = (names: Iterable<string>): IsSensitive => {
  const listed = new Set(Array.from(names, normalizeKey));
  const verdicts = new Map<string, boolean>();
  return (key) => {
    const known = verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = listed.has(normalizeKey(key));
    if (verdicts.size >= REMEMBERED_KEYS) verdicts.clear();
    // A long key is rarely seen twice and would waste memory.
    if (key.length <= 100) verdicts.set(key, verdict);
    return verdict;
  };
};
