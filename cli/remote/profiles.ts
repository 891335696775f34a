import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Env } from '../../src/config.ts';
import { EXIT, UserError } from '../user-error.ts';

/** A server with the access token for it, under a short name. */
export interface Profile {
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

const stored = z.array(z.object({ name: z.string(), url: z.string(), token: z.string() }));

/** Where profiles are stored: `$XDG_CONFIG_HOME/spanledger/profiles.json`, by default in `~/.config`. */
export const profilesPath = (env: Env): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'spanledger', 'profiles.json');

/** The stored profiles by name; none without a file. Throws UserError (1) if the file cannot be read. */
export const readProfiles = (env: Env): Profile[] => {
  const path = profilesPath(env);
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new UserError({
      what: `Cannot read the profiles in ${path}`,
      fix: 'Correct or delete the file, then run `spanledger login`',
      code: 'profiles_unreadable',
      exit: EXIT.failure,
      cause: error,
    });
  }
};

/** Replaces the file. Only its owner can read it, from its first moment on. */
export const writeProfiles = (env: Env, profiles: readonly Profile[]): void => {
  const path = profilesPath(env);
  if (profiles.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  // The mode above applies to new files only.
  chmodSync(next, 0o600);
  renameSync(next, path);
};
