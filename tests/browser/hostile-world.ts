import { createUser } from '../../src/core/auth/index.ts';
import { createProject } from '../../src/core/projects/index.ts';
import { setPricesAction } from '../../src/features/prices/actions.ts';
import { TEST_PASSWORD } from '../helpers/app.ts';
import { PAYLOADS } from './payloads.ts';
import type { World } from './world.ts';

/** Payloads that may be names, which have no control characters; calls may hold all. */
export const NAMES: readonly string[] = PAYLOADS.filter((payload) => !/\p{Cc}/u.test(payload));

/** These in texts of up to 200 characters, for what there is only one or few of. */
export const CHUNKS: readonly string[] = inChunks(200);

function inChunks(most: number): string[] {
  const chunks: string[] = [];
  for (const payload of NAMES) {
    const joined = `${chunks.at(-1)} ${payload}`;
    if (chunks.length > 0 && joined.length <= most) chunks[chunks.length - 1] = joined;
    else chunks.push(payload);
  }
  return chunks;
}

const TEXT_FIELDS = [
  'name',
  'provider',
  'model',
  'operation',
  'error_code',
  'error_message',
  'environment',
  'user_id',
  'session_id',
  'agent',
  'tool',
  'release',
  'prompt_name',
  'prompt_version',
  'prompt_hash',
  'sdk_version',
  'finish_reason',
];

/** A call whose every text is the payload, and a span of a tool below it. */
function eventsOf(payload: string, place: number): Record<string, unknown>[] {
  const common = {
    ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, payload])),
    trace_id: payload,
    status: 'error',
    timestamp: new Date(Date.now() - 60_000 - place * 1_000).toISOString(),
  };
  const call = {
    ...common,
    span_id: payload,
    event_id: eventId(place),
    tags: { [payload]: payload },
    metadata: { [payload]: [payload, { [payload]: payload }] },
    usage: { [payload]: payload },
    input_tokens: 1_000,
    output_tokens: 10,
    latency_ms: 100,
    input: [{ role: payload, content: payload }],
    output: [{ role: 'assistant', content: [{ type: 'text', text: payload }], [payload]: payload }],
  };
  const span = { ...common, kind: 'tool', span_id: `${payload}-`, parent_span_id: payload, latency_ms: 5 };
  return [call, span];
}

export const eventId = (place: number): string =>
  `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;

/** Stores every payload in every field that takes text. Gives the times of their calls, by place. */
export async function storePayloads(world: World): Promise<string[]> {
  const { app } = world;
  const { organizationId, projectId, bearer, apiKey } = app.seed;
  const ok = async (reply: Promise<Response>): Promise<void> => {
    const response = await reply;
    if (!response.ok) throw new Error(`${response.status} ${response.url}: ${await response.text()}`);
  };
  const project = `/v1/projects/${projectId}`;
  const config = (json: unknown) => ok(app.fetch(`${project}/sdk-config`, { bearer, method: 'PUT', json }));
  await config({ storePrompts: true });
  const events = PAYLOADS.flatMap(eventsOf);
  for (let from = 0; from < events.length; from += 100)
    await ok(app.fetch('/v1/ingest', { apiKey, events: events.slice(from, from + 100) }));
  // Refused for its status, which the reason may quote, and for a field that is none.
  const refused = PAYLOADS.map((payload, place) => ({
    ...eventsOf(payload, place)[0],
    event_id: payload,
    status: payload,
  }));
  for (let from = 0; from < refused.length; from += 50)
    await app.fetch('/v1/ingest', { apiKey, events: refused.slice(from, from + 50) });
  for (const name of NAMES) await ok(app.fetch(`${project}/keys`, { bearer, json: { name } }));
  app.clock.advance(60_000);
  const prices = PAYLOADS.map((payload, place) => ({
    // Some differ by case alone, and would be one price.
    provider: `${place} ${payload}`,
    model: payload,
    match: 'prefix',
    rates: { input: 1, output: 1 },
    serviceTier: payload.slice(0, 40),
    note: payload,
  }));
  await app.app.act(setPricesAction, { organization: organizationId, prices: prices.slice(0, 100) });
  await app.app.act(setPricesAction, { organization: organizationId, prices: prices.slice(100) });
  for (const [place, name] of CHUNKS.entries()) {
    const value = PAYLOADS[place] ?? '';
    const of = { kind: 'tag', tag: value, value };
    const json = { name, of, period: 'month', limitUsd: 1 };
    await ok(app.fetch(`/v1/budgets?organizationId=${organizationId}`, { bearer, json }));
    await app.app.act(createProject, { organization: organizationId, name });
    const token = { name, scopes: ['read'] };
    await ok(app.fetch(`/v1/access-tokens?organizationId=${organizationId}`, { bearer, json: token }));
    const person = { email: `p${place}@example.com`, password: TEST_PASSWORD };
    await app.app.act(createUser, { ...person, name, organization: organizationId, role: 'viewer' });
  }
  app.clock.advance(60_000);
  // Names of views are shorter than all others, and a project has a hundred.
  for (const [place, payload] of NAMES.slice(0, 100).entries()) {
    const search = { model: payload, userId: payload, environment: payload };
    const name = [...payload].slice(0, 40).join('').trim();
    const view = app.fetch(`/v1/views?projectId=${projectId}`, {
      bearer,
      json: { name: `${place} ${name}`, search },
    });
    await ok(view);
  }
  const put = (json: unknown) => ok(app.fetch(project, { bearer, method: 'PUT', json }));
  await put({ environments: PAYLOADS.slice(0, 100) });
  await config({ redactKeys: [...PAYLOADS] });
  return events.flatMap(({ timestamp, kind }) => (kind === undefined ? [String(timestamp)] : []));
}

/** Names after a chunk what there is one of: the organization, the project and who is looking. */
export async function rename(world: World, name: string): Promise<void> {
  const { app } = world;
  const { organizationId, projectId, bearer } = app.seed;
  const of = { bearer, method: 'PUT', json: { name } };
  const paths = [`/v1/organizations/${organizationId}`, `/v1/projects/${projectId}`, '/v1/auth/me'];
  for (const path of paths) {
    const { ok, status } = await app.fetch(path, of);
    if (!ok) throw new Error(`${status} ${path}`);
  }
}
