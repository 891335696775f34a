import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createUser, initLedger } from '../../src/core/auth/index.ts';
import { createKey } from '../../src/core/keys/index.ts';
import { createOrganization, setPlan } from '../../src/core/orgs/index.ts';
import { createProject } from '../../src/core/projects/index.ts';
import { startServer } from '../helpers/server.ts';

const PASSWORD = 'correct horse battery';

/** What an attack needs to know: a server and two tenants, of which the second attacks. */
export type World = {
  readonly url: string;
  readonly pid: number;
  /** The other tenant, whose requests are measured. */
  readonly apiKey: string;
  readonly attacker: {
    readonly projectId: string;
    readonly apiKeys: readonly string[];
    /** A key of an organization whose quota is used up. */
    readonly exhaustedKey: string;
    readonly email: string;
    /** Several login sessions of one person, because requests are limited by session. */
    readonly bearers: readonly string[];
  };
};

const SESSIONS = 6;
const KEYS = 4;

/** Creates a ledger with its tenants in `folder` and starts a server on it. */
export async function openWorld(folder: string): Promise<World & { stop(): Promise<number> }> {
  const db = `${folder}/ledger.db`;
  const config = loadConfig({ env: { DATABASE_URL: `file:${db}`, LOG_LEVEL: 'silent' } }).values;
  const app = openApp({ config, mode: 'command' });
  const owner = { org: 'Victim', project: 'victim', email: 'ada@example.com', password: PASSWORD };
  const { apiKey } = await app.act(initLedger, owner);
  const addKeys = async (name: string, count: number): Promise<{ projectId: string; apiKeys: string[] }> => {
    const organization = (await app.act(createOrganization, { name, plan: 'scale' })).id;
    const project = (await app.act(createProject, { organization, name })).id;
    const apiKeys: string[] = [];
    while (apiKeys.length < count) apiKeys.push((await app.act(createKey, { project, name })).apiKey);
    return { projectId: project, apiKeys };
  };
  const attacker = await addKeys('Attacker', KEYS);
  const exhausted = await addKeys('Exhausted', 1);
  await app.act(setPlan, { organization: 'Exhausted', plan: 'free', monthlyEvents: 1 });
  const email = 'mallory@example.com';
  await app.act(createUser, { email, password: PASSWORD, organization: 'Attacker', role: 'owner' });
  await app.close();

  const server = await startServer(db);
  const signIn = async (): Promise<string> => {
    const response = await fetch(`${server.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    return ((await response.json()) as { token: string }).token;
  };
  const bearers: string[] = [];
  while (bearers.length < SESSIONS) bearers.push(await signIn());
  return {
    url: server.url,
    pid: server.pid,
    apiKey,
    attacker: { ...attacker, exhaustedKey: exhausted.apiKeys[0] ?? '', email, bearers },
    stop: () => server.end('SIGTERM'),
  };
}
