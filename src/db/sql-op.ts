import { runStatement, type SqlResult, type SqlStatement } from './connection.ts';
import type { WriteOp } from './group-commit.ts';

/** The write operation of the control plane: runs a list of statements, all or none. */
export const sqlOp: WriteOp<SqlStatement[], SqlResult[]> = {
  name: 'sql',
  open: (connection) => ({
    apply: (statements) => statements.map((statement) => runStatement(connection, statement)),
  }),
};
