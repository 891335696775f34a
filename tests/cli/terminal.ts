import type { Command } from '../../cli/command.ts';
import { runCli, type Terminal } from '../../cli/run.ts';

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process with an in-memory terminal, 80 columns wide and not a TTY. */
export const runWith = async (
  commands: readonly Command[],
  argv: readonly string[],
  overrides: Partial<Terminal> = {},
): Promise<Result> => {
  const written = { stdout: '', stderr: '' };
  const code = await runCli(commands, {
    argv,
    env: {},
    columns: undefined,
    isTerminal: { stdin: false, stdout: false, stderr: false },
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    input: { readAll: async () => '', readBytes: async () => new Uint8Array(), ask: async () => null },
    onStop: () => {},
    exitNow: () => {},
    ...overrides,
  });
  return { code, ...written };
};
