/** Key names whose values are redacted by default: the server's list. */
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

const REMEMBERED_KEYS = 2_000;

/**
 * Normalises a name for comparison: removes case, `-`, `_`, spaces, accents and invisible characters, and turns
 * compatibility letters (full-width ones) into plain ones.
 */
const normalizeKey = (key: string): string =>
  key
    .normalize('NFKD')
    .replace(/[\s\p{M}\p{Cf}\p{Pd}\p{Pc}]/gu, '')
    .toLowerCase();

/** Returns a test for keys that equal one of these names in any spelling. */
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
