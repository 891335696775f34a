// `bun tests/http/fuzz/fuzz.ts [--cases 100000] [--seed N]`: odd requests to all routes, from every kind of caller.
import { createTokenAction } from '../../../src/core/access-tokens/index.ts';
import { modules } from '../../../src/features.ts';
import type { Route } from '../../../src/http/route.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { createRandom } from '../../helpers/random.ts';
import { type Caller, type Named, requestTo } from './requests.ts';

/** What a run found. Memory in megabytes of resident size, after a fifth of the cases and at the end. */
export type FuzzReport = {
  readonly cases: number;
  readonly seed: number;
  readonly routes: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly memory: { readonly early: number; readonly end: number };
};

/** Requests may delete an organization or its people: a new one comes after this many. */
const RENEW_EVERY = 200;
const STEP_MS = 500;

const routes = modules.flatMap(({ routes = [] }): readonly Route[] => routes);

async function newTenant(app: TestApp): Promise<{ named: Named; callers: Caller[] }> {
  const tenant = await app.addTenant();
  const { organizationId, projectId } = tenant;
  const viewer = await app.addUser('viewer', organizationId);
  const bearer = (name: string, token: string): Caller => ({
    name,
    headers: { authorization: `Bearer ${token}` },
  });
  const { token } = await app.app.act(createTokenAction, {
    organization: organizationId,
    name: 'fuzz',
    scopes: ['read'],
    user: tenant.email,
  });
  return {
    named: { organizationId, projectId },
    callers: [
      { name: 'nobody', headers: {} },
      { name: 'key', headers: { 'x-api-key': tenant.apiKey } },
      bearer('viewer', viewer.bearer),
      bearer('owner', tenant.bearer),
      bearer('token', token),
    ],
  };
}

const memoryMb = (): number => {
  Bun.gc(true);
  return Math.round(process.memoryUsage.rss() / 1_048_576);
};

/**
 * Sends odd requests to every route in turn.
 * @throws at the first reply of 500 or more, and at the first refusal without `{ error: string }`
 */
export async function fuzz(app: TestApp, cases: number, seed: number): Promise<FuzzReport> {
  const random = createRandom(seed);
  const below = (max: number): number => Math.floor(random() * max);
  const statuses: Record<string, number> = {};
  let world = await newTenant(app);
  let early = 0;
  for (let i = 0; i < cases; i++) {
    if (i % RENEW_EVERY === RENEW_EVERY - 1) world = await newTenant(app);
    if (i === Math.floor(cases / 5)) early = memoryMb();
    const route = routes[i % routes.length] as Route;
    const caller = world.callers[below(world.callers.length)] as Caller;
    const { path, init } = requestTo(route, below, { caller, named: world.named });
    const response = await app.fetch(path, { ...init, address: `10.${below(200)}.0.1` });
    const text = await response.text();
    const problem = problemOf(response, text, init.method ?? 'GET');
    if (problem !== null) {
      const sent = `${init.method} ${path.slice(0, 300)} as ${caller.name}`;
      throw new Error(
        `case ${i} of seed ${seed}: ${problem}: ${sent}\n${app.errors.at(-1)?.slice(0, 2_000) ?? ''}`,
      );
    }
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    app.clock.advance(STEP_MS);
  }
  return { cases, seed, routes: routes.length, statuses, memory: { early, end: memoryMb() } };
}

/** What is wrong with a reply; null if nothing is. */
function problemOf({ status }: Response, text: string, method: string): string | null {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  if (status < 400 || method === 'HEAD') return null;
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' && error !== ''
      ? null
      : `${status} without an error: ${text.slice(0, 300)}`;
  } catch {
    return `${status} that is no JSON: ${text.slice(0, 300)}`;
  }
}

if (import.meta.main) {
  const option = (name: string, otherwise: number): number => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(process.argv[at + 1]);
  };
  const app = await openTestApp({ rateLimits: false });
  console.log(await fuzz(app, option('cases', 100_000), option('seed', Date.now() % 1_000_000)));
  await app.close();
}
