import { writeFileSync } from 'node:fs';
import { openFolder } from '../helpers/folder.ts';
import { type Cli, type Ledger, type RunningServer, runCommand, startServer } from '../helpers/server.ts';
import { type LibsqlThread, startLibsqlThread } from './start.ts';

/** A libSQL server, and the settings with which the product uses it. */
export type RemoteLedger = {
  readonly server: LibsqlThread;
  /** Runs a command with the settings. With `elsewhere` it does not find the socket of a server on this machine. */
  command(args: readonly string[], options?: { stdin?: string; elsewhere?: true }): Promise<Cli>;
  serve(): Promise<RunningServer>;
  /** Creates the first organization. */
  init(): Promise<Ledger>;
  close(): Promise<void>;
};

export const TOKEN = 'a-token-of-the-tests';
/** Nothing listens there, for tests without events. */
const NO_EVENTS = { EVENTS_URL: 'clickhouse://nobody@127.0.0.1:9/none' };
export const OWNER = { email: 'ada@example.com', password: 'correct horse battery' } as const;

export async function openRemoteLedger(
  env: Readonly<Record<string, string>> = NO_EVENTS,
): Promise<RemoteLedger> {
  const folder = openFolder();
  const server = await startLibsqlThread(folder.path('server.db'), TOKEN);
  writeFileSync(folder.path('token'), `${TOKEN}\n`);
  const settings = {
    DATABASE_AUTH_TOKEN_FILE: folder.path('token'),
    BETTER_AUTH_SECRET: 'a secret of the tests, 32 characters or more',
    ...env,
  };
  writeFileSync(
    folder.path('env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const common = ['--env-file', folder.path('env')];
  const command: RemoteLedger['command'] = (args, { stdin = '', elsewhere } = {}) => {
    const all = [...args, '--db', server.url, ...common];
    return runCommand(all, stdin, undefined, elsewhere ? { TMPDIR: folder.path('') } : {});
  };
  return {
    server,
    command,
    serve: () => startServer(server.url, common),
    async init() {
      const names = ['--org', 'Acme', '--project', 'assistant', '--email', OWNER.email];
      const { code, stdout, stderr } = await command(['init', ...names, '--password-stdin', '--json'], {
        stdin: OWNER.password,
      });
      if (code !== 0) throw new Error(`init: ${stderr}`);
      return JSON.parse(stdout) as Ledger;
    },
    async close() {
      await server.stop();
      folder.remove();
    },
  };
}
