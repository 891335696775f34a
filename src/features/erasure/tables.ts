import type { Ctx } from '../../context.ts';
import { deleteInSlices } from '../../core/jobs/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import type { SqlStatement } from '../../db/connection.ts';
import { projectColumn, projectValue } from '../../db/owned-table.ts';

export type NamedUser = {
  readonly scope: ProjectScope;
  readonly userId: string;
  readonly name: string;
};

const valueFor = (column: string, { scope: { no, projectId: id } }: NamedUser): number | string =>
  projectValue(column, { no, id });

/**
 * Deletes rows with a user's id from every table whose manifest declares it.
 * @returns number of deleted rows by the manifest's `receipt` name
 */
export async function deleteRowsOfUser(
  ctx: Ctx,
  user: NamedUser,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {};
  for (const table of ctx.tables) {
    const [{ name, key, eraseUser }, column] = [table, projectColumn(table)];
    if (eraseUser === undefined || !('deleteWhere' in eraseUser) || column === null) continue;
    const slice = { table: name, key, prefix: `${column} = ?`, where: eraseUser.deleteWhere };
    const values = { prefix: valueFor(column, user), where: user.userId };
    const rows = await deleteInSlices(slice, values, { ctx, signal });
    if (eraseUser.receipt !== undefined) {
      deleted[eraseUser.receipt] = (deleted[eraseUser.receipt] ?? 0) + rows;
    }
  }
  return deleted;
}

/** A statement on a table. The rows that it changes are counted in the audit log if it is `counted`. */
export type Change = { readonly table: string; readonly counted: boolean; readonly statement: SqlStatement };

/** Statements that replace a user's id with a pseudonym, or remove it, in every table whose manifest declares it. */
export function changesOf(ctx: Ctx, user: NamedUser): Change[] {
  return ctx.tables.flatMap((table): Change[] => {
    const [{ name, eraseUser }, column] = [table, projectColumn(table)];
    if (eraseUser === undefined || 'deleteWhere' in eraseUser || column === null) return [];
    const owner = valueFor(column, user);
    if ('rename' in eraseUser) {
      const { rename, within } = eraseUser;
      const text = within === undefined ? '' : `, ${within} = replace(${within}, ${rename}, ?2)`;
      const sql = `UPDATE ${name} SET ${rename} = ?2 ${text} WHERE ${rename} = ?1 AND ${column} = ?3`;
      return [{ table: name, counted: false, statement: { sql, args: [user.userId, user.name, owner] } }];
    }
    const sql = `UPDATE ${name} SET ${eraseUser.update} WHERE (${eraseUser.where}) AND ${column} = ?`;
    const args = [...sql.matchAll(/\?/g)].map((): number | string => user.userId).with(-1, owner);
    return [{ table: name, counted: true, statement: { sql, args } }];
  });
}
