import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Ctx } from '../../../context.ts';
import { shellWord } from '../../../lib/text/shell-word.ts';
import type { Finding } from '../contract.ts';
import { bad, ok, warn } from './findings.ts';

const LEAST_SECRET = 32;
/** What others than the owner may do. */
const OTHERS = 0o077;

const modeText = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** Who may use the file, what lies beside it, and its folder. */
export function checkPermissions({ db: { path, isRemote } }: Ctx): Finding[] {
  if (isRemote) return [];
  const found: Finding[] = [];
  for (const end of ['', '-wal', '-shm', '.secret', '.sock']) {
    const file = `${path}${end}`;
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || (stat.mode & OTHERS) === 0) continue;
    // SQLite gives its own files the mode of the database.
    found.push(
      bad(
        'permissions',
        `${file} has mode ${modeText(stat.mode)}: other users can use it`,
        `chmod 600 ${shellWord(file)}`,
      ),
    );
  }
  const folder = dirname(path);
  const { mode } = statSync(folder);
  if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
    found.push(
      bad(
        'permissions',
        `Everybody may replace files in ${folder} (mode ${modeText(mode)})`,
        `chmod o-w ${shellWord(folder)}`,
      ),
    );
  const owner = statSync(path).uid;
  const uid = process.getuid?.() ?? owner;
  if (uid !== owner && uid !== 0)
    found.push(
      warn('permissions', `${path} belongs to another user (uid ${owner})`, `Run this command as that user`),
    );
  if (!isWritable(path) || !isWritable(folder))
    found.push(
      bad(
        'permissions',
        `${path} or its folder cannot be written`,
        `Give uid ${uid} write access to ${folder}`,
      ),
    );
  return found.length > 0
    ? found
    : [ok('permissions', `Only its owner can use ${path} and the files beside it`)];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The secret that signs login sessions. */
export function checkSecret({ config, db: { path } }: Ctx): Finding {
  if (config.BETTER_AUTH_SECRET !== undefined) return ok('secret', 'BETTER_AUTH_SECRET is set');
  const file = `${path}.secret`;
  if (!existsSync(file))
    return warn(
      'secret',
      `There is no secret at ${file}: the next start makes a new one`,
      'After a restore, copy the old secret there first, or people have to sign in again',
    );
  let length: number;
  try {
    ({ length } = readFileSync(file, 'utf8').trim());
  } catch {
    return bad('secret', `${file} cannot be read`, `Give the user of the server access to ${file}`);
  }
  return length >= LEAST_SECRET
    ? ok('secret', `${file} has the secret; keep a copy of it with the backups`)
    : bad(
        'secret',
        `${file} is too short`,
        'Put its copy back, or delete it: the next start makes a new one',
      );
}
