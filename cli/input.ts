import { Writable } from 'node:stream';

/** Standard input of a running command. */
export interface Input {
  /** All of standard input; empty if it is closed. */
  readonly readAll: () => Promise<string>;
  /** The same as bytes. */
  readonly readBytes: () => Promise<Uint8Array>;
  /** Prompts on stderr for one line; null at the end of input. */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string | null>;
}

/** Reads standard input; `empty` if it is closed. */
const orEmpty = async <T>(read: () => Promise<T>, empty: T): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBADF') return empty;
    throw error;
  }
};

/** The real standard input. `interrupt` is called on Ctrl-C, which a prompt receives as a key. */
export const openInput = (interrupt: () => void): Input => ({
  readAll: () => orEmpty(() => Bun.stdin.text(), ''),
  readBytes: () => orEmpty(() => Bun.stdin.bytes(), new Uint8Array()),
  ask: async (question, { hidden = false } = {}) => {
    const { createInterface } = await import('node:readline');
    process.stderr.write(question);
    // readline itself echoes what is typed, so discarding its output hides it.
    const echo = new Writable({
      write: (chunk, _encoding, done) => (hidden ? done() : process.stderr.write(chunk, () => done())),
    });
    const lines = createInterface({ input: process.stdin, output: echo, terminal: true });
    lines.setPrompt(hidden ? '' : question);
    const answer = await new Promise<string | null>((resolve) => {
      lines.once('line', resolve);
      let interrupted = false;
      lines.once('close', () => interrupted || resolve(null));
      lines.once('SIGINT', () => {
        interrupted = true;
        // Restores the terminal's echo. The process ends, so there is no answer.
        lines.close();
        process.stderr.write('\n');
        interrupt();
      });
    });
    lines.close();
    // readline echoes the user's line break, except when input is hidden or has ended.
    if (hidden || answer === null) process.stderr.write('\n');
    return answer;
  },
});
