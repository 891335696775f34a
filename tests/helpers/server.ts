import { join } from 'node:path';
import { EXIT } from '../../cli/user-error.ts';

/** The command line under test: the binary where SPANLEDGER_BINARY names one, else the source. */
export const cliCommand: readonly string[] =
  process.env.SPANLEDGER_BINARY === undefined
    ? [process.execPath, join(import.meta.dir, '../../cli/main.ts')]
    : [process.env.SPANLEDGER_BINARY];

/** What `init --json` prints. */
export type Ledger = {
  organizationId: string;
  projectId: string;
  userId: string;
  keyId: string;
  apiKey: string;
};

export type Cli = { code: number; stdout: string; stderr: string };

/** Runs one command to its end. */
export async function runCommand(
  args: readonly string[],
  stdin = '',
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Cli> {
  const child = Bun.spawn([...cliCommand, ...args], {
    stdin: new TextEncoder().encode(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Runs a job to its end. A server runs its jobs by itself too; while it does, the command is refused and tried again. */
export async function runJob(db: string, job: string, ...more: readonly string[]): Promise<Cli> {
  for (;;) {
    const ran = await runCommand(['jobs', 'run', job, '--db', db, ...more]);
    if (ran.code !== EXIT.conflict) return ran;
  }
}

/** A new ledger on `db`; its owner signs in with `email` and `password`. */
export async function initLedger(db: string, email: string, password: string): Promise<Ledger> {
  const args = ['init', '--db', db, '--org', 'Acme', '--project', 'assistant', '--email', email];
  const { code, stdout, stderr } = await runCommand([...args, '--password-stdin', '--json'], password);
  if (code !== 0) throw new Error(`init: ${stderr}`);
  return JSON.parse(stdout) as Ledger;
}

/** A serving process. */
export type RunningServer = {
  url: string;
  pid: number;
  /** What it wrote to standard error, when it has ended. */
  log: Promise<string>;
  /** Sends the signal and waits for the end. */
  end(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<number>;
};

/** Starts `serve` on a free port and waits until it is ready. */
export async function startServer(
  db: string,
  args: readonly string[] = [],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const child = Bun.spawn([...cliCommand, 'serve', '--db', db, '--port', '0', '--json', ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let wasEnded = false;
  // Its log is shown only when it ends by itself.
  const log = new Response(child.stderr).text();
  void log.then((said) => {
    if (!wasEnded) console.error(said);
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('\n')) break;
  }
  if (!text.includes('\n')) throw new Error(`serve ended with ${await child.exited}`);
  const { url } = JSON.parse(text) as { url: string };
  return {
    url,
    pid: child.pid,
    log,
    end: (signal) => {
      wasEnded = true;
      child.kill(signal);
      return child.exited;
    },
  };
}
