import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../cli/commands.ts';
import type { Terminal } from '../../cli/run.ts';
import { runWith } from './terminal.ts';

type Result = Awaited<ReturnType<typeof runWith>>;

/** A ledger in its own folder, and the command line that uses it. */
export interface TestLedger {
  readonly dir: string;
  readonly path: string;
  /** Runs a command line, given as words, with an in-memory terminal. */
  readonly run: (words: readonly string[], overrides?: Partial<Terminal>) => Promise<Result>;
  /** The same with --json; returns the parsed document. Throws if the command fails. */
  readonly json: (...words: string[]) => Promise<Record<string, unknown>>;
  readonly remove: () => void;
}

export const PASSWORD = 'correct horse battery';

/** An empty folder without a database. */
export const emptyLedger = (): TestLedger => {
  const dir = mkdtempSync(join(tmpdir(), 'spanledger-ledger-'));
  const path = join(dir, 'test.db');
  const run: TestLedger['run'] = (words, overrides = {}) =>
    runWith(commands, words, { ...overrides, env: { DATABASE_URL: `file:${path}`, ...overrides.env } });
  return {
    dir,
    path,
    run,
    json: async (...words) => {
      const { code, stdout, stderr } = await run([...words, '--json']);
      if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
};

/** Input: `lines` are the answers to prompts, `all` is standard input. */
export const inputOf = (all: string, lines: readonly string[] = []): Pick<Terminal, 'input'> => {
  const left = [...lines];
  return {
    input: {
      readAll: async () => all,
      readBytes: async () => new TextEncoder().encode(all),
      ask: async () => left.shift() ?? null,
    },
  };
};

/** An interactive terminal with these answers. */
export const person = (...lines: string[]): Partial<Terminal> => ({
  ...inputOf('', lines),
  isTerminal: { stdin: true, stdout: false, stderr: true },
});

/** The words of an `init` without prompts; the password comes from standard input. */
export const INIT = 'init --org Acme --project assistant --email ada@example.com --password-stdin'.split(' ');

/** A ledger with an organization, a project, an owner and a key. */
export const openLedger = async (): Promise<TestLedger & { readonly made: Record<string, string> }> => {
  const ledger = emptyLedger();
  const { stdout } = await ledger.run([...INIT, '--json'], inputOf(`${PASSWORD}\n`));
  return { ...ledger, made: JSON.parse(stdout) as Record<string, string> };
};
