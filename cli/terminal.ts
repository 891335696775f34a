import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { readEnv } from '../src/config.ts';
import { openInput } from './input.ts';
import type { Terminal } from './run.ts';

/** The real terminal: this process's arguments, environment, streams and signals. */
export const openTerminal = (): Terminal => ({
  argv: process.argv.slice(2),
  env: readEnv(),
  // A terminal of unknown width reports 0.
  columns: (isatty(1) && process.stdout.columns) || undefined,
  isTerminal: { stdin: isatty(0), stdout: isatty(1), stderr: isatty(2) },
  stdout: (text) => writeAll(1, text),
  stderr: writeMessage,
  input: openInput(() => process.kill(process.pid, 'SIGINT')),
  onStop: (stop) => {
    process.on('SIGINT', () => stop('SIGINT'));
    process.on('SIGTERM', () => stop('SIGTERM'));
  },
  exitNow: (code) => process.exit(code),
});

/**
 * Writes synchronously. `process.exit` would drop what `process.stdout` still buffers for a slow reader, and a
 * closed pipe (`| head`) becomes an exception here instead of a later event.
 */
const writeAll = (fd: 1 | 2, text: string): void => {
  const bytes = Buffer.from(text);
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

/** A message that can no longer be written is not a failure. */
const writeMessage = (text: string): void => {
  try {
    writeAll(2, text);
  } catch {}
};
