/**
 * What SQLite says of a broken constraint, such as `UNIQUE constraint failed: users.email`, or null for an
 * error of another kind. Drizzle wraps errors, so that the causes are looked at too.
 */
export function brokenConstraint(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const [found] =
      /(UNIQUE|NOT NULL|FOREIGN KEY|CHECK) constraint failed(: [\w., ]+)?/.exec(current.message) ?? [];
    if (found !== undefined && !current.message.startsWith('Failed query')) return found;
  }
  return null;
}
