import { AppError } from '../src/errors.ts';

/** Exit codes of the process. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  conflict: 5,
  database: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface UserErrorParts {
  /** What happened, in one line without a final full stop. */
  readonly what: string;
  /** How to fix it, in one line. */
  readonly fix: string;
  /** Stable snake_case code for scripts. */
  readonly code: string;
  readonly exit: ExitCode;
  readonly cause?: unknown;
}

/** A failure that the user can fix; any other error is a bug. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly what: string;
  readonly fix: string;
  readonly code: string;
  readonly exit: ExitCode;

  constructor({ what, fix, code, exit, cause }: UserErrorParts) {
    super(what, cause === undefined ? undefined : { cause });
    this.what = what;
    this.fix = fix;
    this.code = code;
    this.exit = exit;
  }
}

/** The command line itself is wrong (exit 2). */
export const usageError = (what: string, fix: string): UserError =>
  new UserError({ what, fix, code: 'usage', exit: EXIT.usage });

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

/** Beginnings of what is no remedy, such as "; nothing was stored". */
const STATEMENT = 'did you mean|or|an?|the|there|it|its|is|only|nothing|what|yours|months|recovery';
const REMEDY = new RegExp(`^(.+)(?:; (?!(?:${STATEMENT})\\b)|\\. (?=[A-Z]))(.+)$`, 's');

/** A message that says after a semicolon or in its last sentence what to do, which fits better than a status does. */
export const ownFix = (message: string): { what: string; fix: string } | null => {
  const [, what, fix] = REMEDY.exec(message) ?? [];
  if (what === undefined || fix === undefined) return null;
  return { what, fix: fix.charAt(0).toUpperCase() + fix.slice(1) };
};
