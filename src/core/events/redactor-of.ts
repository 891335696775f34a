import { createRedactor, type Redactor } from '../../lib/redact.ts';
import { DEFAULT_REDACT_KEYS } from '../../lib/sensitive-keys.ts';

const redactors = new WeakMap<readonly string[], Redactor>();

/** The redactor of a project's key list, cached as long as the list is in memory. */
export function redactorOf(keys: readonly string[]): Redactor {
  const known = redactors.get(keys);
  if (known !== undefined) return known;
  const redactor = createRedactor([...DEFAULT_REDACT_KEYS, ...keys]);
  redactors.set(keys, redactor);
  return redactor;
}
