import { type AppError, unavailable } from '../errors.ts';
import { isFileFault } from './connection.ts';

const RETRY_SECONDS = 5;

/**
 * A server's reply when its file could not be read or written: 503, because a disk may fail for a moment and senders
 * retry. The cause is for the log. Null for any other error.
 */
export function fileFaultOf(error: unknown): AppError | null {
  if (!isFileFault(error)) return null;
  const message = 'The database file cannot be read; try again. If it stays so, restore a backup';
  return unavailable(message, RETRY_SECONDS, error);
}
