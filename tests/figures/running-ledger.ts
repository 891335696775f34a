import { gzipSync } from 'node:zlib';
import { openFolder } from '../helpers/folder.ts';
import {
  initLedger,
  type Ledger,
  type RunningServer,
  runCommand,
  runJob,
  startServer,
} from '../helpers/server.ts';

const email = 'ada@example.com';
const password = 'correct horse battery';

/** A served ledger that a test asks over HTTP and by commands. */
export type RunningLedger = {
  readonly ledger: Ledger;
  readonly server: RunningServer;
  signIn(): Promise<string>;
  send(events: readonly unknown[]): Promise<void>;
  /** A reply of 200; the project is in the query. */
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** The reply of a command with `--json`. */
  command<T>(...args: readonly string[]): Promise<T>;
  seal(): Promise<void>;
  close(): Promise<void>;
};

export async function openRunningLedger(): Promise<RunningLedger> {
  const folder = openFolder();
  const db = folder.path('agree.db');
  const ledger = await initLedger(db, email, password);
  const server = await startServer(db);
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${server.url}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const json = (body: unknown, bearer?: string): RequestInit => ({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  });
  const signIn = async (): Promise<string> => {
    const login = await ask('/v1/auth/login', json({ email, password }));
    return ((await login.json()) as { token: string }).token;
  };
  // A login session may send 300 requests a minute.
  let [requests, session] = [0, signIn()];
  const bearerNow = (): Promise<string> => {
    requests += 1;
    if (requests % 250 === 0) session = signIn();
    return session;
  };
  const run = async (args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand([...args, '--db', db]);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  return {
    ledger,
    server,
    signIn,
    send: async (events) => {
      for (let at = 0; at < events.length; at += 100) {
        const body = gzipSync(
          events
            .slice(at, at + 100)
            .map((event) => JSON.stringify(event))
            .join('\n'),
        );
        await ask('/v1/ingest', { method: 'POST', headers: { 'x-api-key': ledger.apiKey }, body });
      }
    },
    get: async <T>(path: string, query = {}) => {
      // Routes of an organization know no project.
      const of = 'organizationId' in query ? {} : { projectId: ledger.projectId };
      const search = new URLSearchParams({ ...of, ...query });
      const headers = { authorization: `Bearer ${await bearerNow()}` };
      return (await (await ask(`${path}?${search}`, { headers })).json()) as T;
    },
    post: async <T>(path: string, body: unknown) =>
      (await (await ask(path, json(body, await bearerNow()))).json()) as T,
    command: async <T>(...args: readonly string[]) => JSON.parse(await run([...args, '--json'])) as T,
    seal: async () => {
      const { code, stderr } = await runJob(db, 'events.seal_log');
      if (code !== 0) throw new Error(stderr);
    },
    close: async () => {
      await server.end('SIGTERM');
      folder.remove();
    },
  };
}
