import { afterEach, beforeEach, expect, test } from 'bun:test';
import { authOf } from '../../../src/core/auth/index.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../helpers/app.ts';
import { addApp, addPasskey } from '../../helpers/factors.ts';
import { asker } from '../../helpers/people.ts';
import { auditRows } from '../audit/rows.ts';

const TEN_MINUTES = 10 * 60_000;
const PROOF = '/v1/auth/reauthenticate';
const AGAIN = {
  status: 403,
  body: {
    error:
      'Confirm that it is you at POST /v1/auth/reauthenticate, or sign in again; then repeat this within 10 minutes',
    code: 'sign_in_again',
  },
};

let world: TestApp;
let ada: string;
let ask: ReturnType<typeof asker>;
beforeEach(async () => {
  world = await openTestApp();
  ada = world.seed.bearer;
  ask = asker(world);
});
afterEach(() => world.close());

const makeKey = (bearer = ada) =>
  ask('POST', `/v1/projects/${world.seed.projectId}/keys`, bearer, { name: 'production' });
const prove = (json: object, bearer = ada) => ask('POST', PROOF, bearer, json);
const optionsOf = async () =>
  (await ask('POST', `${PROOF}/options`, ada)).body as {
    methods: string[];
    passkey: { challenge: string } | null;
  };
const dropPassword = () => world.ctx.db.sql.run('DELETE FROM accounts');

test('ten minutes after the sign-in, what creates keys, deletes or changes owners needs a proof', async () => {
  const { organizationId, projectId, keyId } = world.seed;
  const { userId } = await world.addUser('admin');
  const requests = [
    ['POST', `/v1/projects/${projectId}/keys`, { name: 'production' }],
    ['POST', `/v1/projects/${projectId}/keys/${keyId}/rotate`],
    ['POST', `/v1/access-tokens?organizationId=${organizationId}`, { name: 'report', scopes: ['read'] }],
    ['PUT', `/v1/organizations/${organizationId}/members/${userId}`, { role: 'owner' }],
    ['POST', `/v1/organizations/${organizationId}/transfer`, { userId }],
    ['DELETE', `/v1/projects/${projectId}`],
    ['DELETE', `/v1/organizations/${organizationId}`],
  ] as const;
  world.clock.advance(TEN_MINUTES - 1);
  expect((await makeKey()).status).toBe(201);
  world.clock.advance(1);
  for (const [method, path, json] of requests) expect(await ask(method, path, ada, json)).toEqual(AGAIN);
  expect((await ask('GET', `/v1/projects/${projectId}/keys`, ada)).status).toBe(200);
  const viewer = await world.addUser('viewer');
  world.clock.advance(TEN_MINUTES);
  expect(await makeKey(viewer.bearer)).toMatchObject({
    status: 403,
    body: { error: expect.stringMatching(/requires the role/) },
  });
  expect(await prove({ password: TEST_PASSWORD })).toEqual({ status: 204, body: null });
  // The transfer would take away the right to delete the organization.
  for (const [method, path, json] of requests.filter(([, path]) => !path.endsWith('/transfer')))
    expect([path, (await ask(method, path, ada, json)).status < 300]).toEqual([path, true]);
});

test('a proof counts for its login session and ten minutes, is audited once, and survives a restart', async () => {
  const other = await world.signIn(world.seed.email);
  world.clock.advance(TEN_MINUTES);
  for (let i = 0; i < 3; i++) expect((await prove({ password: TEST_PASSWORD })).status).toBe(204);
  const told = (await auditRows(world.ctx)).filter(({ action }) => action === 'user.reauthenticated');
  expect(told.map(({ actor_email: email }) => email)).toEqual([world.seed.email]);
  expect((await makeKey(other)).status).toBe(403);
  await world.reopen();
  expect((await makeKey()).status).toBe(201);
  world.clock.advance(TEN_MINUTES);
  expect((await makeKey()).status).toBe(403);
  expect((await makeKey(await world.signIn(world.seed.email))).status).toBe(201);
});

test('a wrong proof is refused, and guessing is slowed down and audited', async () => {
  world.clock.advance(TEN_MINUTES);
  expect(await prove({})).toEqual({ status: 400, body: { error: 'send one of password, code and passkey' } });
  expect((await prove({ password: TEST_PASSWORD, code: '123456' })).status).toBe(400);
  expect(await prove({ code: '123456' })).toMatchObject({
    status: 403,
    body: { error: expect.stringMatching(/no authenticator app/) },
  });
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) statuses.push((await prove({ password: `wrong ${i}` })).status);
  expect(new Set(statuses)).toEqual(new Set([403, 429]));
  expect((await makeKey()).status).toBe(403);
  await authOf(world.ctx).idle();
  const failed = (await auditRows(world.ctx)).filter(({ action }) => action === 'user.sign_in_failed');
  expect(failed.length).toBeGreaterThan(1);
});

test('people prove it with an authenticator app or a passkey too, each code and challenge once', async () => {
  expect(await optionsOf()).toEqual({ methods: ['password'], passkey: null });
  const { code } = await addApp(world, ada);
  const { authenticator } = await addPasskey(world, ada);
  await dropPassword();
  world.clock.advance(TEN_MINUTES);
  const options = await optionsOf();
  expect(options.methods).toEqual(['totp', 'passkey']);
  expect(await prove({ password: TEST_PASSWORD })).toMatchObject({
    status: 403,
    body: { error: expect.stringMatching(/no password/) },
  });
  expect([(await prove({ code: code() })).status, (await prove({ code: code() })).status]).toEqual([
    204, 403,
  ]);
  expect((await makeKey()).status).toBe(201);
  world.clock.advance(TEN_MINUTES);
  const passkey = authenticator.get((await optionsOf()).passkey ?? { challenge: '' });
  expect([(await prove({ passkey })).status, (await prove({ passkey })).status]).toEqual([204, 403]);
  expect((await makeKey()).status).toBe(201);
});

test('a passkey of somebody else, and one for a sign-in or another login session, is refused', async () => {
  const eve = await world.addTenant();
  const hers = await addPasskey(world, eve.bearer);
  const own = await addPasskey(world, ada);
  world.clock.advance(TEN_MINUTES);
  const challenge = async (path: string, bearer: string) => {
    const { body } = await ask('POST', path, bearer);
    const { passkey, options } = body as Record<'passkey' | 'options', { challenge: string }>;
    return passkey ?? options;
  };
  const stolen = await challenge(`${PROOF}/options`, ada);
  const foreign = [
    hers.authenticator.get(stolen),
    own.authenticator.get(await challenge('/v1/auth/passkeys/sign-in/options', '')),
    own.authenticator.get(await challenge(`${PROOF}/options`, eve.bearer)),
  ];
  for (const passkey of foreign) expect((await prove({ passkey })).status).toBe(403);
  expect((await makeKey()).status).toBe(403);
});

test('somebody without a password or factor signs in again', async () => {
  await dropPassword();
  world.clock.advance(TEN_MINUTES);
  expect(await optionsOf()).toEqual({ methods: [], passkey: null });
  expect(await makeKey()).toEqual(AGAIN);
  expect(await ask('POST', '/v1/auth/delete-account', ada, {})).toEqual(AGAIN);
});
