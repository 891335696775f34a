import { closeSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { usageError } from './user-error.ts';

/** The format that the ending of a file names. @throws {UserError} usage (2) if it names none */
export const formatOfFile = <F extends string>(file: string, formats: readonly F[]): F => {
  const format = formats.find((name) => extname(file).toLowerCase() === `.${name}`);
  if (format !== undefined) return format;
  const last = formats.at(-1);
  const endings = `${formats
    .slice(0, -1)
    .map((name) => `.${name}`)
    .join(', ')} or .${last}`;
  throw usageError(`The ending of ${file} is no format`, `End the file with ${endings}, or add --format`);
};

/**
 * Writes pieces to a file as they come. What breaks off is an error, and leaves what had arrived.
 * @throws {UserError} usage (2) if the file cannot be written
 */
export const writePieces = async (path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
  const fd = openForWriting(path);
  try {
    for await (const bytes of pieces)
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(fd, bytes, sent);
  } finally {
    closeSync(fd);
  }
};

const openForWriting = (path: string): number => {
  try {
    return openSync(path, 'w');
  } catch {
    throw usageError(`Cannot write ${path}`, 'Pass --output the path of a file in a folder that exists');
  }
};

/**
 * Writes synchronously. `process.exit` would drop what `process.stdout` still buffers for a slow reader, a closed pipe
 * (`| head`) becomes an exception here instead of a later event, and Bun's own writer is silent about a full disk.
 */
export const writeAll = (fd: 1 | 2, content: string | Uint8Array): void => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(fd, bytes, sent);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      // The pipe is full, and another process that shares it made it non-blocking.
      Bun.sleepSync(1);
    }
  }
};

/** Whether a write failed because nobody reads any more. */
export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EPIPE' &&
  'syscall' in error &&
  error.syscall === 'write';
