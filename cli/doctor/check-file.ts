import { statSync } from 'node:fs';
import type { Finding } from '../../src/features/system/contract.ts';
import { bytesText } from '../../src/lib/figures.ts';
import { requireLedger } from '../backup/require-ledger.ts';
import type { BaseContext } from '../command.ts';
import { toUserError } from '../exit.ts';
import { EXIT } from '../user-error.ts';

const MOST = 5;

/**
 * Reads the file: whether it is one of this version, and unless `fast` whether its pages are in order.
 * @throws {UserError} conflict (5) if a later version made it
 */
export async function checkFile(ctx: BaseContext, { fast }: { fast: boolean }): Promise<Finding[]> {
  const { databasePath } = await import('../../src/db/open.ts');
  const path = databasePath(ctx.config().values.DATABASE_URL);
  try {
    const pending = await requireLedger(path);
    if (pending > 0)
      return [
        {
          check: 'file',
          level: 'warn',
          text: `${path} was written by an older version: ${pending} migrations are pending`,
          fix: 'Make a backup, then run `spanledger migrate up` or start the server',
        },
      ];
    const problems = fast ? [] : await pageProblems(path);
    if (problems.length === 0)
      return [
        {
          check: 'file',
          level: 'ok',
          text: `${path} has ${bytesText(statSync(path).size)}${fast ? '' : ', and its pages are in order'}`,
          fix: null,
        },
      ];
    return problems.map((text) => ({ check: 'file', level: 'bad', text, fix: RESTORE }));
  } catch (error) {
    const { what, fix, exit } = await toUserError(error);
    if (exit !== EXIT.database) throw error;
    return [{ check: 'file', level: 'bad', text: what, fix }];
  }
}

const RESTORE = 'Stop the server and restore a backup: `spanledger restore BACKUP --db NEW_FILE`';

async function pageProblems(path: string): Promise<string[]> {
  const { openReadConnection } = await import('../../src/db/connection.ts');
  const connection = openReadConnection(path);
  try {
    const rows = connection.prepare(`PRAGMA quick_check(${MOST})`).raw(true).all([]) as unknown[][];
    const lines = rows.flatMap(([line]) => String(line).split('\n'));
    return lines.join() === 'ok' ? [] : lines;
  } finally {
    connection.close();
  }
}
