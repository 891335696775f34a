import { Writable } from 'node:stream';

/** What a person or a pipe gives to a running command. */
export interface Input {
  /** All of standard input; empty where it is closed. */
  readonly readAll: () => Promise<string>;
  /** The same as bytes. */
  readonly readBytes: () => Promise<Uint8Array>;
  /** One line from the person at the terminal, asked for on stderr; null at the end of input. */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string | null>;
}

/** What standard input holds; `empty` where it is closed. */
const orEmpty = async <T>(read: () => Promise<T>, empty: T): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBADF') return empty;
    throw error;
  }
};

/** The real standard input. `interrupt` is called on Ctrl-C, which a prompt gets as a key. */
export const openInput = (interrupt: () => void): Input => ({
  readAll: () => orEmpty(() => Bun.stdin.text(), ''),
  readBytes: () => orEmpty(() => Bun.stdin.bytes(), new Uint8Array()),
  ask: async (question, { hidden = false } = {}) => {
    const { createInterface } = await import('node:readline');
    process.stderr.write(question);
    // What is typed is echoed by readline itself, so that swallowing its output hides it.
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
        // Gives the terminal its echo back; there is no answer any more, the process ends.
        lines.close();
        process.stderr.write('\n');
        interrupt();
      });
    });
    lines.close();
    // A person's own line break is shown, except where nothing is.
    if (hidden || answer === null) process.stderr.write('\n');
    return answer;
  },
});
