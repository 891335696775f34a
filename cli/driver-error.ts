import { readEnv } from '../src/config.ts';
import { EXIT, UserError } from './user-error.ts';

const DLOPEN_FAILED = 'ERR_DLOPEN_FAILED';

/**
 * Whether the native database driver could not be loaded. A binary unpacks the driver to the temporary directory, which
 * may be missing or noexec.
 */
export const isDriverFailure = (error: unknown): boolean => {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < 8; depth++) {
    if ('code' in current && current.code === DLOPEN_FAILED) return true;
    // The `error` event of a Worker has only the printed error, and no code.
    if (current.message.includes(DLOPEN_FAILED)) return true;
    current = current.cause;
  }
  return false;
};

/** The message for this failure; the directory is the one that the runtime unpacks to. */
export const driverError = (cause: unknown): UserError => {
  const { BUN_TMPDIR, TMPDIR } = readEnv();
  return new UserError({
    what: `The database driver cannot be unpacked to ${BUN_TMPDIR || TMPDIR || '/tmp'}`,
    fix: 'Set BUN_TMPDIR to a directory that exists, is writable and is not mounted noexec',
    code: 'driver_unavailable',
    exit: EXIT.failure,
    cause,
  });
};
