import { readFileSync } from 'node:fs';
import { type Config, ConfigError } from '../../config.ts';
import { databasePath } from '../open.ts';
import { isRemoteUrl, type Place, type RemotePlace } from './place.ts';

/** What can be printed: no token and no user. `tls=0` is for a network without TLS. */
const PLAIN = /^(libsql|https?):\/\/[^\s@?#]+(\?tls=[01])?$/;

/**
 * Where the settings say that the control plane is.
 * @throws ConfigError if a server lacks another setting that it needs, or one is set that works on a file only
 */
export function placeOf(config: Config): Place {
  const url = config.DATABASE_URL;
  if (!isRemoteUrl(url)) return databasePath(url);
  if (!PLAIN.test(url))
    throw new ConfigError(
      'DATABASE_URL',
      'DATABASE_URL is the address of a libSQL server with a token, a user, an option or a WebSocket',
      'Set DATABASE_URL to libsql://HOST, and DATABASE_AUTH_TOKEN to the token',
    );
  if (config.EVENTS_URL === undefined)
    throw new ConfigError(
      'EVENTS_URL',
      `DATABASE_URL is ${url}, and events on a libSQL server are not supported`,
      'Set EVENTS_URL to a ClickHouse server, or DATABASE_URL to a file',
    );
  if (config.BETTER_AUTH_SECRET === undefined)
    throw new ConfigError(
      'BETTER_AUTH_SECRET',
      `DATABASE_URL is ${url}, and BETTER_AUTH_SECRET is not set`,
      'Set BETTER_AUTH_SECRET to at least 32 random characters (openssl rand -hex 32), the same wherever the server runs',
    );
  if (config.BACKUP_TO !== undefined)
    throw new ConfigError(
      'BACKUP_TO',
      `BACKUP_TO copies a database file, and DATABASE_URL is ${url}`,
      'Unset BACKUP_TO and use the backups of the libSQL server',
    );
  const remote: RemotePlace = { url, token: tokenOf(config), holder: Bun.randomUUIDv7() };
  return remote;
}

function tokenOf({ DATABASE_AUTH_TOKEN: token, DATABASE_AUTH_TOKEN_FILE: file }: Config): string | null {
  if (file === undefined) return token ?? null;
  if (token !== undefined)
    throw new ConfigError(
      'DATABASE_AUTH_TOKEN_FILE',
      'DATABASE_AUTH_TOKEN and DATABASE_AUTH_TOKEN_FILE are both set',
      'Unset one of them',
    );
  const read = readToken(file);
  if (/^[\x21-\x7e]{1,10000}$/.test(read)) return read;
  throw new ConfigError(
    'DATABASE_AUTH_TOKEN_FILE',
    `${file} holds no token`,
    'Write the token of the libSQL server into it, on one line',
  );
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(
      'DATABASE_AUTH_TOKEN_FILE',
      `${file} cannot be read`,
      'Name a file that this user may read',
    );
  }
}
