/** A statement of the control plane that failed: its text, with `?` for the values, and why. */
export type QueryError = { readonly query: string; readonly cause: unknown };

/**
 * Drizzle's error among an error and its causes, or null. Its message holds the values of the statement,
 * among them tokens and hashes, so it is to be shown to nobody; it also hides the AppError of the writer.
 */
export function findQueryError(error: unknown): QueryError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('query' in current && 'params' in current)
      return { query: String(current.query), cause: current.cause };
  }
  return null;
}

/** What went wrong under drizzle's error; any other error as it is. */
export function underlyingError(error: unknown): unknown {
  const failed = findQueryError(error);
  return failed === null ? error : failed.cause;
}
