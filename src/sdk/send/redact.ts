/** Key names whose values are withheld by default: the server's list. */
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

/** What stands in the place of a withheld value. */
export const REDACTED = '[REDACTED]';

/** Whether the value under a key is to be withheld. */
export type IsSensitive = (key: string) => boolean;

const REMEMBERED_KEYS = 2_000;

/**
 * The form in which names are compared: no case, no `-`, `_` or spaces; beyond ASCII compatibility letters
 * (full-width ones) become plain, accents and invisible characters go.
 */
const normalizeKey = (key: string): string =>
  key
    .normalize('NFKD')
    .replace(/[\s\p{M}\p{Cf}\p{Pd}\p{Pc}]/gu, '')
    .toLowerCase();

/** A test for keys that have one of these names, however they are written. */
export const createSensitive = (names: Iterable<string>): IsSensitive => {
  const listed = new Set(Array.from(names, normalizeKey));
  const known = new Map<string, boolean>();
  return (key) => {
    let verdict = known.get(key);
    if (verdict === undefined) {
      verdict = listed.has(normalizeKey(key));
      if (known.size >= REMEMBERED_KEYS) known.clear();
      if (key.length <= 100) known.set(key, verdict);
    }
    return verdict;
  };
};
