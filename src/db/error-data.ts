import { AppError, type ErrorCode } from '../errors.ts';
import { sqliteCode } from './connection.ts';

/** A serialized error, for transfer between threads and processes. */
export type ErrorData =
  | {
      readonly status: number;
      readonly message: string;
      readonly code: ErrorCode;
      readonly headers: Readonly<Record<string, string>>;
      readonly data?: unknown;
      /** SQLite's result code, if the error comes of one. */
      readonly cause?: string;
    }
  /** An internal error, only logged. `code` is SQLite's result code, or empty. */
  | { readonly status: null; readonly message: string; readonly code: string };

/** Serializes the parts of an error that callers see or react to. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof AppError) {
    const { status, message, code, headers, data } = error;
    const cause = sqliteCode(error.cause);
    return { status, message, code, headers, data, ...(cause !== '' && { cause }) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { status: null, message, code: sqliteCode(error) };
}

/** Restores the error: an AppError, or a plain Error with SQLite's `code`. */
export function fromErrorData(data: ErrorData): Error {
  if (data.status === null) return withCode(data.message, data.code);
  const { status, message, cause, ...rest } = data;
  return new AppError(status, message, {
    ...rest,
    ...(cause !== undefined && { cause: withCode(message, cause) }),
  });
}

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });
