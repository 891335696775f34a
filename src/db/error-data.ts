import { AppError, type ErrorCode } from '../errors.ts';
import { sqliteCode } from './connection.ts';

/** An error on its way between threads and processes. */
export type ErrorData =
  | {
      readonly status: number;
      readonly message: string;
      readonly code: ErrorCode;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** Not for callers: only logged. `code` is SQLite's result code, empty where it gave none. */
  | { readonly status: null; readonly message: string; readonly code: string };

/** Everything of an error that callers see or react to. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof AppError) {
    const { status, message, code, headers } = error;
    return { status, message, code, headers };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { status: null, message, code: sqliteCode(error) };
}

/** The error again: an AppError, or for a bug a plain Error with SQLite's `code`. */
export function fromErrorData(data: ErrorData): Error {
  if (data.status !== null) return new AppError(data.status, data.message, data);
  return Object.assign(new Error(data.message), { code: data.code });
}
