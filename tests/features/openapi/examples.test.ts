import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { openFolder } from '../../helpers/folder.ts';
import { OAUTH_ENV } from '../../helpers/identity-provider.ts';
import { MOCK_KEY, modelsFile } from '../../helpers/model-calls.ts';
import { type ModelProviderMock, startModelProvider } from '../../helpers/model-provider.ts';
import { openSmtp, type TestSmtp } from '../../helpers/smtp.ts';
import { IDS, OWN_ORGANIZATION, SECRETS, STATUS } from './example-values.ts';
import { type Listed, type Reference, readReference } from './reference-document.ts';

const NOW = Date.UTC(2027, 0, 11, 12);
const folder = openFolder();
const MODELS_FILE = folder.path('models.json');
const ENV = { SIGNUP: 'open', PLAN_CHANGES: 'owner', ...OAUTH_ENV, MODELS_FILE, OUTBOUND_ALLOW: '127.0.0.1' };

let smtp: TestSmtp;
let models: ModelProviderMock;
let world: TestApp;
let reference: Reference;
beforeAll(async () => {
  smtp = await openSmtp();
  models = startModelProvider();
  process.env.MOCK_MODEL_KEY = MOCK_KEY;
  writeFileSync(MODELS_FILE, modelsFile(models));
  world = await openTestApp({
    rateLimits: false,
    now: NOW,
    env: {
      ...ENV,
      OPERATORS: 'ada@example.com',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'ledger@example.com',
      PUBLIC_URL: 'http://localhost',
    },
  });
  reference = await readReference(world);
  // The trace, the session and the user that other examples name.
  await send('POST /v1/otel');
  await send('POST /v1/ingest');
});
afterAll(async () => {
  await world.close();
  await smtp.close();
  models.close();
  folder.remove();
});

const find = (at: string): Listed => {
  const found = reference.operations.find((one) => one.at === at);
  if (found === undefined) throw new Error(`The reference has no ${at}`);
  return found;
};

/** The path with ids that exist: made by the example of the collection, or as `IDS` says. */
async function fillPath(listed: Listed, bearer: string): Promise<string> {
  const filled: string[] = [];
  for (const part of listed.path.split('/')) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    filled.push(name === undefined ? part : encodeURIComponent(await idFor(listed, name, bearer)));
  }
  return filled.join('/');
}

async function idFor({ at, path }: Listed, name: string, bearer: string): Promise<string> {
  if (OWN_ORGANIZATION.includes(at)) return made('/v1/organizations', bearer);
  const collection = path.slice(0, path.indexOf(`/{${name}}`));
  const value = IDS[`${at} ${name}`] ?? IDS[`${name} of ${collection}`];
  if (value !== undefined) return value(world, bearer);
  const { projectId, organizationId } = world.seed;
  const scope = { '/v1/projects': projectId, '/v1/organizations': organizationId }[collection];
  return scope ?? made(collection, bearer);
}

/** Ids by the path of the `POST` that made them, until something deletes them. */
const known = new Map<string, string>();

/** The id of what the example of a collection makes, or made before. */
async function made(collection: string, bearer: string): Promise<string> {
  const before = known.get(collection);
  if (before !== undefined && !collection.startsWith('/v1/organizations')) return before;
  await send(`POST ${collection}`, bearer);
  const id = known.get(collection);
  if (id === undefined) throw new Error(`The reply of POST ${collection} has no id`);
  return id;
}

const idOf = (value: unknown): string | undefined => {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
};

function remember({ method, path }: Listed, text: string): void {
  if (method === 'DELETE') known.delete(path.replace(/\/\{\w+\}$/, ''));
  if (method !== 'POST' || !text.startsWith('{')) return;
  const body = JSON.parse(text) as Record<string, unknown>;
  const id = [body, ...Object.values(body)].map(idOf).find((one) => one !== undefined);
  if (id !== undefined) known.set(path, id);
}

function queryOf({ path, operation }: Listed): string {
  const given = operation.parameters.flatMap<[string, string]>(
    ({ name, in: place, required, example, schema }) => {
      if (place !== 'query') return [];
      if (name === 'projectId' || name === 'organizationId') return [[name, world.seed[name]]];
      const value = example ?? (required ? schema.enum?.[0] : undefined);
      if (required && value === undefined) throw new Error(`${path} ?${name} is required and has no example`);
      return value === undefined ? [] : [[name, String(value)]];
    },
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** One request for each media type with an example, or one without a body. */
function bodiesOf({ at, operation }: Listed): { type?: string; example?: unknown }[] {
  const content = Object.entries(operation.requestBody?.content ?? {});
  if (content.length === 0) return [{}];
  const bodies = content.flatMap(([type, { example }]) => (example === undefined ? [] : [{ type, example }]));
  expect(bodies.length, `Give ${at} an \`example\` in its contract.ts`).toBeGreaterThan(0);
  return bodies;
}

const textOf = (type: string, example: unknown): string =>
  type === 'text/csv' ? String(example) : JSON.stringify(example);

/** Sends the examples of an operation with the credential that it names. */
async function send(at: string, bearer = world.seed.bearer): Promise<{ reply: Response; text: string }> {
  const listed = find(at);
  const { method, operation } = listed;
  const path = `${await fillPath(listed, bearer)}${queryOf(listed)}`;
  const secrets = await SECRETS[at]?.({ world, smtp, bearer, path });
  const schemes = operation.security.flatMap(Object.keys);
  let last: { reply: Response; text: string } | undefined;
  for (const { type, example } of bodiesOf(listed)) {
    const headers = { Origin: 'http://localhost', ...(type !== undefined && { 'Content-Type': type }) };
    const reply = await world.fetch(path, {
      method,
      headers,
      ...(schemes.includes('apiKey') && { apiKey: world.seed.apiKey }),
      ...(schemes.includes('bearer') && { bearer }),
      ...(type !== undefined && {
        body: textOf(type, typeof example === 'object' ? { ...example, ...secrets } : example),
      }),
    });
    last = { reply, text: await reply.text() };
    expectStatus(listed, last);
    remember(listed, last.text);
  }
  return last as { reply: Response; text: string };
}

function expectStatus({ at, operation }: Listed, { reply, text }: { reply: Response; text: string }): void {
  const expected = STATUS[at];
  if (expected !== undefined) expect([at, reply.status, text]).toEqual([at, expected, text]);
  else expect([at, reply.status >= 200 && reply.status < 300, text]).toEqual([at, true, text]);
  if (reply.ok) return;
  expect(Object.keys(operation.responses), `${at} does not say when it replies ${reply.status}`).toContain(
    String(reply.status),
  );
}

/** Who asks: somebody new where the request changes their own account, so that the owner stays signed in. */
async function asks(at: string): Promise<string> {
  if (at === 'POST /v1/invitations/accept') return (await world.addTenant()).bearer;
  const own = at.includes('/v1/auth/') || OWN_ORGANIZATION.includes(at);
  return own ? (await world.addUser('member')).bearer : world.seed.bearer;
}

describe('the examples of the reference are accepted', async () => {
  const app = await openTestApp({ empty: true, now: NOW });
  const { operations } = await readReference(app);
  await app.close();
  test.each(operations.map(({ at }) => [at]))('%s', async (at) => {
    await send(at, await asks(at));
  });
});
