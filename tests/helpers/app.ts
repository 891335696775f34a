import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino, { type Logger } from 'pino';
import { type App, openApp } from '../../src/app.ts';
import { type Env, loadConfig } from '../../src/config.ts';
import type { Ctx } from '../../src/context.ts';
import { createUser, initLedger } from '../../src/core/auth/index.ts';
import { createKey } from '../../src/core/keys/index.ts';
import { createOrganization } from '../../src/core/orgs/index.ts';
import { createProject } from '../../src/core/projects/index.ts';
import type { Role } from '../../src/core/tenancy/contract.ts';
import { newId } from '../../src/db/new-id.ts';
import { checkReply } from './check-reply.ts';
import { isOnLibsql, openControlPlane } from './control-plane-env.ts';
import { eventStoreEnv, isOnClickhouse } from './event-store-env.ts';
import { placeMigratedFile } from './migrated-file.ts';

/** The time at which a test starts unless it says otherwise: a Monday noon. */
export const TEST_NOW = Date.UTC(2026, 5, 15, 12);
export const TEST_PASSWORD = 'correct horse battery';

/** A stopped clock that the test sets. Times are epoch milliseconds. */
export type TestClock = { now(): number; set(ms: number): void; advance(ms: number): void };

/** An organization with a project, a key and a signed-in owner. */
export type Tenant = {
  readonly organizationId: string;
  readonly projectId: string;
  readonly userId: string;
  readonly email: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly bearer: string;
};

/** What a test request is made of, beyond what fetch knows. */
export type TestRequest = RequestInit & {
  readonly bearer?: string;
  readonly apiKey?: string;
  /** Sent as a JSON body; the method is then POST unless given. */
  readonly json?: unknown;
  /** Sent as gzipped NDJSON, likewise. */
  readonly events?: readonly unknown[];
  /** The peer of the connection, 127.0.0.1 unless given. */
  readonly address?: string | null;
};

export type TestApp = {
  readonly app: App;
  readonly ctx: Ctx;
  readonly clock: TestClock;
  readonly seed: Tenant;
  /** Messages of unhandled errors so far; `close` throws when there are any left. */
  readonly errors: string[];
  fetch(path: string, init?: TestRequest): Promise<Response>;
  /** A second organization, foreign to the first. */
  addTenant(name?: string): Promise<Tenant>;
  /** A signed-in person of an organization, by default the seed's. */
  addUser(role: Role, organizationId?: string): Promise<{ userId: string; email: string; bearer: string }>;
  /** Signs in through the login route and returns a bearer token. */
  signIn(email: string): Promise<string>;
  /** Reopens the same file with other settings and closes the old app. */
  reopen(env?: Env): Promise<void>;
  close(): Promise<void>;
};

export type TestAppOptions = {
  /** `command` (default): the writer and the reads on this thread; `serve`: as the server runs. */
  mode?: 'command' | 'serve';
  now?: number;
  /** Settings on top of the test's own. */
  env?: Env;
  /** Events in the database file whatever the switch says: what is tested is a part of that store alone. */
  events?: 'file';
  /** A file without an owner: every field of `seed` is an empty string. */
  empty?: boolean;
  /** False for a test with more requests than the limits allow. */
  rateLimits?: false;
  /** False: replies are not compared with their schemas, which takes the serving thread long for large ones. */
  checkReplies?: false;
  /** Replaces the log that collects `errors`. */
  log?: Logger;
};

const NOBODY: Tenant = {
  organizationId: '',
  projectId: '',
  userId: '',
  email: '',
  keyId: '',
  apiKey: '',
  bearer: '',
};

/** Settings that decide how long a sign-in lasts, and which is valid. */
const OF_SIGN_IN = /^(BETTER_AUTH_|SESSION_)/;

function takesUsualSeed({ now, empty, env = {} }: TestAppOptions): boolean {
  if (isOnLibsql || isOnClickhouse || now !== undefined || empty === true) return false;
  return !Object.keys(env).some((name) => OF_SIGN_IN.test(name));
}

type Seeded = { readonly bytes: Buffer; readonly seed: Tenant };

let seededOnce: Promise<Seeded> | undefined;

/** The file of a new app at the usual time: to sign up and in takes twice as long as all the rest of opening one. */
const seedOnce = (): Promise<Seeded> => {
  seededOnce ??= (async () => {
    const first = await openTestApp({ now: TEST_NOW });
    // A file that is closed has all of its log.
    await first.reopen();
    const bytes = readFileSync(first.ctx.db.path);
    await first.close();
    return { bytes, seed: first.seed };
  })();
  return seededOnce;
};

/** Ids of one millisecond are in order: those made from now on come after the seed's, as if it had just been made. */
function passIdsOf({ organizationId, projectId, userId, keyId }: Tenant): void {
  const last = Math.max(...[organizationId, projectId, userId, keyId].map((id) => placeOf(id)));
  while (placeOf(newId('id', TEST_NOW)) <= last);
}

/** The place of an id in its millisecond: the twelve bits after the time and the version. */
const placeOf = (id: string): number => Number.parseInt(id.slice(-19, -16), 16);

/** A new app on a temporary file with an organization. Hashes are cheap and the clock is stopped. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'spanledger-'));
  const clock = createTestClock(options.now);
  const errors: string[] = [];
  const path = join(folder, 'test.db');
  const seeded = takesUsualSeed(options) ? await seedOnce() : null;
  if (seeded === null) placeMigratedFile(path);
  else writeFileSync(path, seeded.bytes, { mode: 0o600 });
  const control = await openControlPlane(folder);
  const store = { ...control.env, ...(options.events === 'file' ? {} : await eventStoreEnv(folder)) };
  const open = (env: Env = {}): App =>
    openApp(appOptions({ clock, errors, options, env: { ...store, ...env } }));
  let app = open();

  const fetch = (path: string, init: TestRequest = {}): Promise<Response> => {
    const { address = '127.0.0.1', ...rest } = init;
    return app.fetch(new Request(`http://localhost${path}`, toRequestInit(rest)), { address });
  };

  const signIn = async (email: string): Promise<string> => {
    const response = await fetch('/v1/auth/login', { json: { email, password: TEST_PASSWORD } });
    if (response.status !== 200) throw new Error(`login of ${email}: ${await response.text()}`);
    return ((await response.json()) as { token: string }).token;
  };

  const addUser: TestApp['addUser'] = async (role, organization = seed.organizationId) => {
    const email = `${role}-${Bun.randomUUIDv7().slice(-12)}@example.com`;
    const { id } = await app.act(createUser, { email, password: TEST_PASSWORD, organization, role });
    return { userId: id, email, bearer: await signIn(email) };
  };

  const addTenant = async (name = 'Globex'): Promise<Tenant> => {
    const { id: organizationId } = await app.act(createOrganization, { name });
    const { id: projectId } = await app.act(createProject, {
      organization: organizationId,
      name: `${name} project`,
    });
    const { id: keyId, apiKey } = await app.act(createKey, { project: projectId, name: 'test' });
    return { organizationId, projectId, keyId, apiKey, ...(await addUser('owner', organizationId)) };
  };

  const makeSeed = async (): Promise<Tenant> => {
    const email = 'ada@example.com';
    const input = { org: 'Acme', project: 'Acme project', email, password: TEST_PASSWORD };
    return { ...(await app.act(initLedger, input)), email, bearer: await signIn(email) };
  };
  if (seeded !== null) passIdsOf(seeded.seed);
  const seed = seeded?.seed ?? (options.empty === true ? NOBODY : await makeSeed());

  return {
    get app() {
      return app;
    },
    get ctx() {
      return app.ctx;
    },
    clock,
    seed,
    errors,
    fetch,
    addTenant,
    addUser,
    signIn,
    reopen: async (env) => {
      await app.close();
      app = open(env);
    },
    close: async () => {
      await app.close();
      await control.stop();
      rmSync(folder, { recursive: true, force: true });
      if (errors.length > 0) throw new Error(`unhandled errors:\n${errors.join('\n')}`);
    },
  };
}

type Opening = { clock: TestClock; errors: string[]; options: TestAppOptions; env: Env };

function appOptions({ clock, errors, options, env }: Opening): Parameters<typeof openApp>[0] {
  const settings = {
    BETTER_AUTH_SECRET: 'a secret of the tests, 32 characters or more',
    ...options.env,
    ...env,
  };
  return {
    config: loadConfig({ env: settings }).values,
    mode: options.mode ?? 'command',
    now: clock.now,
    log: options.log ?? pino({ level: 'error' }, { write: (line: string) => void errors.push(line.trim()) }),
    weakHashes: true,
    ...(options.rateLimits === false && { rateLimits: false }),
    ...(options.checkReplies === false ? {} : { checkReply }),
  };
}

/** A stopped clock at `start`, which the test can set. */
export function createTestClock(start = TEST_NOW): TestClock {
  let time = start;
  return {
    now: () => time,
    set: (ms) => {
      time = ms;
    },
    advance: (ms) => {
      time += ms;
    },
  };
}

function toRequestInit({ bearer, apiKey, json, events, ...init }: Omit<TestRequest, 'address'>): RequestInit {
  const headers = new Headers(init.headers);
  if (bearer !== undefined) headers.set('Authorization', `Bearer ${bearer}`);
  if (apiKey !== undefined) headers.set('x-api-key', apiKey);
  if (json !== undefined) {
    headers.set('Content-Type', 'application/json');
    return { method: 'POST', ...init, headers, body: JSON.stringify(json) };
  }
  if (events !== undefined) {
    headers.set('Content-Encoding', 'gzip');
    const lines = events.map((event) => JSON.stringify(event)).join('\n');
    return { method: 'POST', ...init, headers, body: gzipSync(lines) };
  }
  return { ...init, headers };
}
