import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
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
 * Writes pieces to a file as they come, under the name with `.part` until it is whole: what breaks off leaves an earlier
 * file as it was, and what had arrived beside it. A device or pipe, such as /dev/stdout, is written to directly.
 * @throws {UserError} usage (2) if the file cannot be written
 */
export const writePieces = async (path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  const part = isFile ? `${path}.part` : path;
  const fd = openForWriting(path, part);
  try {
    for await (const bytes of pieces)
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(fd, bytes, sent);
  } finally {
    closeSync(fd);
  }
  if (isFile) renameSync(part, path);
};

const openForWriting = (path: string, part: string): number => {
  try {
    return openSync(part, 'w');
  } catch {
    throw usageError(
      `Cannot write ${path}`,
      'Pass --output the path of a file in a folder that exists and that you may write to',
    );
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
