/** A failed control-plane statement: its text, with `?` for the values, and the cause. */
export type QueryError = { readonly query: string; readonly cause: unknown };

/**
 * Finds drizzle's error among an error and its causes, or returns null. Its message contains the statement's values,
 * including tokens and hashes, so it must not be shown or logged. It also hides the writer's AppError.
 */
export function findQueryError(error: unknown): QueryError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('query' in current && 'params' in current)
      return { query: String(current.query), cause: current.cause };
  }
  return null;
}

/** Unwraps drizzle's error; returns any other error unchanged. */
export function underlyingError(error: unknown): unknown {
  const failed = findQueryError(error);
  return failed === null ? error : failed.cause;
}
