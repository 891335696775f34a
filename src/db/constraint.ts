/** A violated constraint. `columns` are `table.column`, empty if SQLite names none. */
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
 * The constraint that an error or one of its causes reports as violated; null for other errors. The kind comes from
 * SQLite's result code, the columns from its message, because SQLite reports them nowhere else.
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
