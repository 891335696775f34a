import { AppError } from '../src/errors.ts';
import { EXIT, UserError } from './user-error.ts';

/**
 * Runs a part of a command that reads what a file or an address holds. If that is refused (400), the arguments are
 * right, and `fix` says what to do instead of "correct the arguments".
 */
export const withFix = async <T>(fix: string, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError && error.status === 400)) throw error;
    throw new UserError({ what: error.message, fix, code: 'bad_request', exit: EXIT.usage, cause: error });
  }
};
