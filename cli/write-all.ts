import { writeSync } from 'node:fs';

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
