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
  const [{ placeOf }, { statesOf }, { migrations }] = await Promise.all([
    import('../../src/db/remote/place-of.ts'),
    import('../../src/db/remote/open-remote.ts'),
    import('../../migrations/index.ts'),
  ]);
  const path = placeOf(ctx.config().values);
  if (typeof path !== 'string') return [judgeServer(path.url, statesOf(path, migrations))];
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

function judgeServer(url: string, states: readonly { readonly appliedAt: number | null }[]): Finding {
  const pending = states.filter(({ appliedAt }) => appliedAt === null).length;
  if (pending === 0)
    return { check: 'file', level: 'ok', text: `${url} answers and has all migrations`, fix: null };
  return {
    check: 'file',
    level: 'warn',
    text: `${url} answers, and ${pending} migrations are pending`,
    fix: 'Run `spanledger migrate up` or start the server',
  };
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
