import type { Client } from '../client.ts';

/** A property of a client; undefined if there is no client, or its proxy refuses. */
export const propertyOf = (sdk: unknown, name: string | symbol): unknown => {
  try {
    return (sdk as Record<string | symbol, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
};

/**
 * Reports a client whose calls cannot be recorded.
 * @param expected what the caller should pass instead
 */
export const reportUnwatched = (client: Client, why: string, expected: string): void =>
  client.report({
    kind: 'configuration',
    events: 0,
    message: `the calls of a client are not recorded, because it cannot be watched (${why}): pass ${expected}`,
  });
