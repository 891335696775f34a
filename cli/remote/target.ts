import { readFileSync } from 'node:fs';
import type { Env } from '../../src/config.ts';
import { usageError } from '../user-error.ts';
import { readProfiles } from './profiles.ts';

/** A server that commands read instead of the database file. */
export interface Target {
  /** The address, without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

interface Wish {
  /** An address or the name of a profile: `--server`, or SPANLEDGER_SERVER. */
  readonly server: string;
  /** File with the token: `--token-file`. */
  readonly tokenFile: string | undefined;
  readonly env: Env;
}

const ADDRESS = 'Pass an address such as https://ledger.example.com, or the name of a profile';

/** A server's address without path, query and slash. Throws usage (2). */
export const parseServer = (text: string): string => {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw usageError(`${JSON.stringify(text)} is not the address of a server`, ADDRESS);
  if (url.username !== '' || url.password !== '')
    throw usageError('The address of a server holds no password', 'Remove what is before the @');
  return url.origin + url.pathname.replace(/\/+$/, '');
};

/** An access token as it is sent, or a usage error that does not repeat it. */
export const parseToken = (text: string, from: string): string => {
  const token = text.trim();
  if (/^slt_[0-9a-f]{64}$/.test(token)) return token;
  throw usageError(
    `${from} holds no access token`,
    'Create one under Access tokens, or with `spanledger access-tokens create`: slt_ and 64 hex digits',
  );
};

/** The token in a file. Throws usage (2). */
export const readTokenFile = (path: string): string => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw usageError(`Cannot read ${path}`, 'Pass the path of a file that holds an access token');
  }
  return parseToken(text, path);
};

/**
 * The server and its token. The token comes from `--token-file`, SPANLEDGER_TOKEN or the profile; never from an
 * argument, which other users of the machine could read.
 * @throws {UserError} usage (2)
 */
export const chooseTarget = ({ server, tokenFile, env }: Wish): Target => {
  const isAddress = /^https?:\/\//i.test(server);
  const profiles = readProfiles(env);
  const url = isAddress ? parseServer(server) : undefined;
  const profile = profiles.find((one) => (isAddress ? one.url === url : one.name === server));
  if (!isAddress && profile === undefined) {
    const known = profiles.map(({ name }) => name).join(', ');
    const fix = known === '' ? 'Create it with `spanledger login`' : `Choose from: ${known}`;
    throw usageError(`There is no profile ${JSON.stringify(server)}`, fix);
  }
  const token =
    tokenFile !== undefined
      ? readTokenFile(tokenFile)
      : env.SPANLEDGER_TOKEN
        ? parseToken(env.SPANLEDGER_TOKEN, 'SPANLEDGER_TOKEN')
        : profile?.token;
  if (token === undefined)
    throw usageError(
      `There is no access token for ${url}`,
      `Run \`spanledger login ${url}\`, set SPANLEDGER_TOKEN, or pass --token-file`,
    );
  return { url: url ?? profile?.url ?? '', token };
};
