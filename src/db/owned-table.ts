/**
 * A table as its module's manifest declares it. The declaration determines which rows a scoped reader sees, which
 * rows the purge of a project or an organization deletes, which rows expire, and how rows change when an end user is
 * erased.
 */
export type OwnedTable = {
  readonly name: string;
  /** Owner of the rows. `public`: no owner, and every reader sees them. `none`: the installation. */
  readonly scope: 'project' | 'organization' | 'user' | 'public' | 'none';
  /**
   * The owner's column: `project` holds a project's number, `project_id` its id. Unset if the scope is `public` or
   * `none`.
   */
  readonly by?: string;
  /** Columns that order and identify the rows of one owner. */
  readonly key: readonly string[];
  /** For organization rows that may belong to a project. They are deleted with the project. */
  readonly alsoBy?: 'project_id';
  /** Scoped readers see the rows of their scope. If unset they see none, which is the default for secrets. */
  readonly readable?: true;
  /** A row is deleted `keptDays` days after the instant `ends`, an SQL expression in epoch milliseconds. */
  readonly retention?: { readonly ends: string; readonly keptDays: number };
  /** How to erase an end user from a project's rows. */
  readonly eraseUser?: UserErasure;
  /** False if a restored backup must not bring the rows back, such as login sessions. */
  readonly backup?: false;
  /** The rows are kept after their project and organization are deleted, such as the audit log. */
  readonly kept?: true;
  /** The module deletes the rows of a deleted project or organization itself, in its own order. */
  readonly purge?: 'by module';
};

export type UserErasure =
  /** The column with the user's id; its value is replaced by a pseudonym, also in the text of `within`. */
  | { readonly rename: string; readonly within?: string }
  /**
   * A SET clause with any number of `?`, and an SQL condition with one, for the user's id, for rows that also say other
   * things. Changed rows are counted in the audit log under the table's name.
   */
  | { readonly update: string; readonly where: string }
  /** An SQL condition with one `?` for the user's id. Matching rows are deleted and counted under `receipt`. */
  | { readonly deleteWhere: string; readonly receipt?: string };

/** The column that assigns a table's rows to a project; null if there is none. */
export function projectColumn({ scope, by, alsoBy }: OwnedTable): string | null {
  return scope === 'project' ? (by ?? null) : (alsoBy ?? null);
}

/** The project's value in that column: some tables store a project's number, others its id. */
export const projectValue = (column: string, project: { no: number; id: string }): number | string =>
  column === 'project' ? project.no : project.id;
