// `bun tests/http/fuzz/fuzz.ts [--cases 100000] [--seed N]`: odd requests to all routes, from every kind of caller.
import { heapStats } from 'bun:jsc';
import { createTokenAction } from '../../../src/core/access-tokens/index.ts';
import { modules } from '../../../src/features.ts';
import type { Route } from '../../../src/http/route.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { createRandom } from '../../helpers/random.ts';
import { type Caller, type Named, requestTo } from './requests.ts';

/** Memory after a collection of garbage, in megabytes. */
export type Memory = {
  readonly cases: number;
  readonly organizations: number;
  readonly rss: number;
  readonly heap: number;
};
export type FuzzReport = {
  readonly cases: number;
  readonly seed: number;
  readonly routes: number;
  readonly statuses: Readonly<Record<string, number>>;
};
type FuzzOptions = {
  readonly cases: number;
  readonly seed: number;
  /** Called after every tenth of the cases. */
  readonly onMemory?: (memory: Memory) => void;
};

/** Requests may delete an organization or its people: a new one comes after this many. */
const RENEW_EVERY = 200;
/** The second half of the cases goes to this many organizations of the first, so that memory can be seen to stay. */
const KEPT_WORLDS = 50;
const STEP_MS = 500;
/** Ids of replies that later requests name. */
const MAX_IDS = 40;

const routes = modules.flatMap(({ routes = [] }): readonly Route[] => routes);

type World = { readonly named: Named; readonly callers: readonly Caller[] };

const TRACE = '5b8efff798038103d269b633813fc60c';
const events = ['gpt-4o', 'gpt-of-tomorrow'].map((model, i) => ({
  ...{ provider: 'openai', model, input_tokens: 10, user_id: 'ada', session_id: 's1', release: `1.${i}` },
  ...{
    trace_id: TRACE,
    span_id: `eee19b7ec3c1b17${i}`,
    status: i === 0 ? 'success' : 'error',
    tags: { a: 'b' },
  },
}));

async function newTenant(app: TestApp): Promise<World> {
  const tenant = await app.addTenant();
  const { organizationId, projectId } = tenant;
  await app.fetch('/v1/ingest', { apiKey: tenant.apiKey, events });
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
    named: { organizationId, projectId, ids: [TRACE, 'ada', 's1', tenant.keyId, viewer.userId] },
    callers: [
      { name: 'nobody', headers: {} },
      { name: 'key', headers: { 'x-api-key': tenant.apiKey } },
      bearer('viewer', viewer.bearer),
      bearer('owner', tenant.bearer),
      bearer('owner', tenant.bearer),
      bearer('token', token),
    ],
  };
}

const megabytes = (bytes: number): number => Math.round(bytes / 104_857.6) / 10;

function memoryNow(cases: number, organizations: number): Memory {
  Bun.gc(true);
  const { rss } = process.memoryUsage();
  return { cases, organizations, rss: megabytes(rss), heap: megabytes(heapStats().heapSize) };
}

/**
 * Sends odd requests to every route in turn.
 * @throws at the first reply of 500 or more, and at the first refusal without `{ error: string }`
 */
export async function fuzz(app: TestApp, { cases, seed, onMemory }: FuzzOptions): Promise<FuzzReport> {
  const random = createRandom(seed);
  const below = (max: number): number => Math.floor(random() * max);
  const statuses: Record<string, number> = {};
  const worlds: World[] = [];
  let organizations = 0;
  for (let i = 0; i < cases; i++) {
    const isNew = i % RENEW_EVERY === 0 && (i < cases / 2 || i === 0);
    if (isNew) {
      worlds.unshift(await newTenant(app));
      worlds.splice(KEPT_WORLDS);
      organizations++;
    }
    const world = worlds[i < cases / 2 ? 0 : below(worlds.length)] as World;
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
    noteIds(world.named.ids, text);
    app.clock.advance(STEP_MS);
    if ((i + 1) % Math.ceil(cases / 10) === 0) onMemory?.(memoryNow(i + 1, organizations));
  }
  return { cases, seed, routes: routes.length, statuses };
}

/** Keeps the newest ids that replies name. */
function noteIds(ids: string[], text: string): void {
  for (const [, id = ''] of text.slice(0, 5_000).matchAll(/"id":"([^"]{1,80})"/g))
    if (!ids.includes(id)) ids.unshift(id);
  ids.splice(MAX_IDS);
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
  console.log('Memory after a collection of garbage. The second half of the cases makes no organization.');
  const onMemory = ({ cases, organizations, rss, heap }: Memory): void =>
    console.log(`${cases} cases, ${organizations} organizations: ${rss} MB resident, ${heap} MB heap`);
  const [cases, seed] = [option('cases', 100_000), option('seed', Date.now() % 1_000_000)];
  console.log(await fuzz(app, { cases, seed, onMemory }));
  await app.close();
}
