import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { readEnv } from '../src/config.ts';
import { openInput } from './input.ts';
import type { Terminal } from './run.ts';
import { writeAll } from './write-file.ts';

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
    if (takesHangup()) process.on('SIGHUP', () => stop('SIGTERM'));
  },
  exitNow: (code) => process.exit(code),
});

/**
 * Whether to stop when the terminal is closed. `nohup` has the signal ignored, which a handler would undo; only Linux
 * tells.
 */
const takesHangup = (): boolean => {
  try {
    const [, ignored] = /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return ignored !== undefined && (Number.parseInt(ignored.slice(-1), 16) & 1) === 0;
  } catch {
    return false;
  }
};

/** A message that can no longer be written is not a failure. */
const writeMessage = (text: string): void => {
  try {
    writeAll(2, text);
  } catch {}
};
