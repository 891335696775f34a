/** A constraint that a statement broke: `columns` as `table.column`, empty where SQLite names none. */
export type BrokenConstraint = {
  readonly kind: 'unique' | 'not_null' | 'foreign_key' | 'check';
  readonly columns: readonly string[];
};

/** SQLite's extended result codes. */
const KINDS: Readonly<Record<string, BrokenConstraint['kind']>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_NOTNULL: 'not_null',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign_key',
  SQLITE_CONSTRAINT_CHECK: 'check',
};

/**
 * The constraint that an error or one of its causes says is broken, by SQLite's result code; null for an
 * error of another kind. Which columns it is on, SQLite says in the message only.
 */
export function brokenConstraint(error: unknown): BrokenConstraint | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const kind = 'code' in current ? KINDS[String(current.code)] : undefined;
    if (kind === undefined) continue;
    const [, columns] = /constraint failed: ([\w.]+(?:, [\w.]+)*)$/.exec(current.message) ?? [];
    return { kind, columns: columns?.split(', ') ?? [] };
  }
  return null;
}
