/**
 * A table as its module's manifest declares it. What happens to its rows derives from the declaration: which
 * of them a scoped reader sees, what the purge of a project or an organization deletes, what expires, and what
 * is done when an end user is erased.
 */
export type OwnedTable = {
  readonly name: string;
  /** Whose the rows are. `public`: nobody's, and every reader may see them. `none`: the installation's. */
  readonly scope: 'project' | 'organization' | 'user' | 'public' | 'none';
  /**
   * The column that holds the owner: `project` holds a project's number, `project_id` its id. Absent where the
   * scope is `public` or `none`.
   */
  readonly by?: string;
  /** Columns that order the rows of one owner and tell them apart. */
  readonly key: readonly string[];
  /** For rows of an organization of which some belong to a project and are deleted with it. */
  readonly alsoBy?: 'project_id';
  /** Scoped readers see the rows of their scope. Without it they see nothing: the default for secrets. */
  readonly readable?: true;
  /** A row is deleted `keptDays` days after the instant `ends`, an SQL expression in epoch milliseconds. */
  readonly retention?: { readonly ends: string; readonly keptDays: number };
  /** What to do with the rows of a project that hold the id of an end user who is erased. */
  readonly eraseUser?: UserErasure;
  /** False where a restored backup must not bring the rows back, such as login sessions. */
  readonly backup?: false;
  /** The rows outlive their project and organization: the audit log. */
  readonly kept?: true;
  /** The module removes the rows of a deleted project or organization itself, in an order of its own. */
  readonly purge?: 'by module';
};

export type UserErasure =
  /** The column that holds the user's id; it gets another name. */
  | { readonly rename: string }
  /** An SQL condition with one `?` for the user's id: these rows are deleted, and counted under `receipt`. */
  | { readonly deleteWhere: string; readonly receipt?: string };

/** The column by which a table's rows belong to projects, null where they don't. */
export function projectColumn({ scope, by, alsoBy }: OwnedTable): string | null {
  return scope === 'project' ? (by ?? null) : (alsoBy ?? null);
}

/** The value of that column: some tables hold a project's number, others its id. */
export const projectValue = (column: string, project: { no: number; id: string }): number | string =>
  column === 'project' ? project.no : project.id;
