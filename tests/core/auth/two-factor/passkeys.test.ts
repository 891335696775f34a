import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { passkeys } from '../../../../src/core/auth/table.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../../helpers/app.ts';
import { createAuthenticator, type Deviation } from '../../../helpers/authenticator.ts';
import { addApp, addPasskey, startSignIn } from '../../../helpers/factors.ts';
import { asker } from '../../../helpers/people.ts';
import { auditRows } from '../../audit/rows.ts';

const REFUSED = { error: 'This passkey was not accepted; try again, or use another way' };

let world: TestApp;
let ada: string;
beforeEach(async () => {
  world = await openTestApp();
  ada = world.seed.bearer;
});
afterEach(() => world.close());

type Options = { options: { challenge: string } };
const ask = (method: string, path: string, json?: unknown, bearer = ada) =>
  asker(world)(method, path, bearer, json);
const optionsOf = async (path: string, json: unknown = {}): Promise<Options['options']> => {
  const { status, body } = await ask('POST', path, json);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return (body as Options).options;
};
const beginAdding = () => optionsOf('/v1/auth/passkeys/options', { password: TEST_PASSWORD });
const beginSignIn = () => optionsOf('/v1/auth/passkeys/sign-in/options');
const signIn = async (response: unknown) => {
  const reply = await world.fetch('/v1/auth/passkeys/sign-in', { json: { response } });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};
const listed = async () =>
  ((await ask('GET', '/v1/auth/two-factor')).body as { passkeys: Record<string, unknown>[] }).passkeys;

describe('adding a passkey', () => {
  test('asks for the password, and the options demand a PIN or a finger', async () => {
    expect((await ask('POST', '/v1/auth/passkeys/options', {})).status).toBe(400);
    expect((await ask('POST', '/v1/auth/passkeys/options', { password: 'wrong one' })).status).toBe(403);
    expect(await beginAdding()).toMatchObject({
      rp: { id: 'localhost', name: 'Spanledger' },
      user: { name: world.seed.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  test('several have names; the first brings recovery codes, and all can be renamed and removed', async () => {
    const laptop = await addPasskey(world, ada, 'Laptop');
    const phone = await addPasskey(world, ada, 'Phone');
    expect([laptop.recoveryCodes?.length, phone.recoveryCodes]).toEqual([10, null]);
    expect((await beginAdding()) as object).toMatchObject({
      excludeCredentials: [{ id: laptop.authenticator.id }, { id: phone.authenticator.id }],
    });
    const path = `/v1/auth/passkeys/${phone.passkey.id}`;
    expect((await ask('PUT', path, { name: 'Old phone' })).status).toBe(204);
    expect((await listed()).map(({ name }) => name)).toEqual(['Laptop', 'Old phone']);
    expect((await ask('POST', `${path}/remove`, {})).status).toBe(400);
    expect((await ask('POST', `${path}/remove`, { password: TEST_PASSWORD })).status).toBe(204);
    expect((await listed()).map(({ name }) => name)).toEqual(['Laptop']);
    expect((await signIn(phone.authenticator.get(await beginSignIn()))).status).toBe(401);
  });

  test.each<[string, Deviation]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['without a PIN or a finger', { unverified: true }],
    ['for a made-up challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
  ])('one %s is refused', async (_name, deviation) => {
    const response = createAuthenticator().create(await beginAdding(), deviation);
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response })).status).toBe(403);
    expect(await world.ctx.db.sql.$count(passkeys)).toBe(0);
  });

  test('a challenge is for one person and five minutes, and not for a sign-in', async () => {
    const response = createAuthenticator().create(await beginAdding());
    const { bearer } = await world.addUser('member');
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response }, bearer)).status).toBe(403);
    const ofSignIn = createAuthenticator().create(await beginSignIn());
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response: ofSignIn })).status).toBe(403);
    world.clock.advance(5 * 60_000);
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response })).status).toBe(403);
  });

  test('one that is known is refused', async () => {
    const authenticator = createAuthenticator();
    const add = async () =>
      ask('POST', '/v1/auth/passkeys', { name: 'x', response: authenticator.create(await beginAdding()) });
    expect((await add()).status).toBe(201);
    expect(await add()).toEqual({ status: 409, body: { error: 'This passkey is known already' } });
  });

  test('twenty are enough', async () => {
    for (let n = 0; n < 20; n++) await addPasskey(world, ada, `Key ${n}`);
    const { status, body } = await ask('POST', '/v1/auth/passkeys/options', { password: TEST_PASSWORD });
    expect([status, body]).toEqual([409, { error: 'You have 20 passkeys; remove one first' }]);
  });

  test('nonsense is refused', async () => {
    const response = createAuthenticator().create(await beginAdding());
    const broken = { ...response, response: { ...response.response, attestationObject: 'AAAA' } };
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response: broken })).status).toBe(403);
    const empty = { ...response, response: { ...response.response, clientDataJSON: '' } };
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response: empty })).status).toBe(403);
    expect((await ask('POST', '/v1/auth/passkeys', { name: '', response })).status).toBe(400);
  });
});

describe('signing in with a passkey alone', () => {
  test('needs no password and no second step, and its last use is shown', async () => {
    const { authenticator } = await addPasskey(world, ada);
    world.clock.advance(60_000);
    const { status, body } = await signIn(authenticator.get(await beginSignIn()));
    expect([status, body.user]).toEqual([200, expect.objectContaining({ id: world.seed.userId })]);
    expect((await world.fetch('/v1/auth/me', { bearer: String(body.token) })).status).toBe(200);
    expect(await listed()).toEqual([
      expect.objectContaining({ lastUsedAt: new Date(world.clock.now()).toISOString() }),
    ]);
    expect((await auditRows(world.ctx)).at(-1)).toMatchObject({
      action: 'user.signed_in',
      actor_id: world.seed.userId,
    });
  });

  test.each<[string, Deviation]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['without a PIN or a finger', { unverified: true }],
    ['for a made-up challenge', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['for a short challenge', { challenge: 'AAAA' }],
    ['with an older count of signatures', { counter: 0 }],
  ])('one %s is refused', async (_name, deviation) => {
    const { authenticator } = await addPasskey(world, ada);
    expect((await signIn(authenticator.get(await beginSignIn()))).status).toBe(200);
    const asked = await beginSignIn();
    expect(await signIn(authenticator.get(asked, deviation))).toEqual({ status: 401, body: REFUSED });
    expect((await signIn(authenticator.get(asked))).status).toBe(200);
  });

  test('no answer is accepted twice, at once or later', async () => {
    const { authenticator } = await addPasskey(world, ada);
    const response = authenticator.get(await beginSignIn());
    const replies = await Promise.all([1, 2, 3].map(() => signIn(response)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await signIn(response)).status).toBe(401);
  });

  test('no answer of an authenticator without a count is accepted twice', async () => {
    const { authenticator } = await addPasskey(world, ada);
    await world.ctx.db.sql.update(passkeys).set({ counter: 0 });
    const response = authenticator.get(await beginSignIn(), { counter: 0 });
    expect((await signIn(response)).status).toBe(200);
    expect((await signIn(response)).status).toBe(401);
  });

  test('a challenge is for five minutes', async () => {
    const { authenticator } = await addPasskey(world, ada);
    const response = authenticator.get(await beginSignIn());
    world.clock.advance(5 * 60_000);
    expect((await signIn(response)).status).toBe(401);
  });

  test('a key of another person does not sign for this one', async () => {
    const { authenticator } = await addPasskey(world, ada);
    const forged = { ...createAuthenticator().get(await beginSignIn()), id: authenticator.id };
    expect((await signIn({ ...forged, rawId: authenticator.id })).status).toBe(401);
    expect((await signIn(createAuthenticator().get(await beginSignIn()))).status).toBe(401);
  });
});

describe('a passkey as the second step', () => {
  test('completes a sign-in with the password', async () => {
    const { authenticator } = await addPasskey(world, ada);
    const { challenge, methods } = await startSignIn(world, world.seed.email);
    expect(methods).toEqual(['passkey', 'recovery_code']);
    const reply = await world.fetch('/v1/auth/login/second-factor/options', { json: { challenge } });
    const { passkey } = (await reply.json()) as { passkey: { challenge: string } };
    expect(passkey).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: authenticator.id }] });
    const json = { challenge, passkey: authenticator.get(passkey) };
    expect((await world.fetch('/v1/auth/login/second-factor', { json })).status).toBe(200);
  });

  test("another person's passkey, and one for another challenge, do not", async () => {
    await addApp(world, ada);
    const member = await world.addUser('member');
    const { authenticator } = await addPasskey(world, member.bearer);
    const { challenge } = await startSignIn(world, world.seed.email);
    const send = async (passkey: unknown) =>
      (await world.fetch('/v1/auth/login/second-factor', { json: { challenge, passkey } })).status;
    expect(await send(authenticator.get(await beginSignIn()))).toBe(401);
    const held = await startSignIn(world, member.email);
    const other = await world.fetch('/v1/auth/login/second-factor/options', {
      json: { challenge: held.challenge },
    });
    const options = ((await other.json()) as { passkey: { challenge: string } }).passkey;
    expect(await send(authenticator.get(options))).toBe(401);
  });
});

describe('the address', () => {
  const problem = async (init: object = {}) => {
    const reply = await world.fetch('/v1/auth/passkeys/sign-in/options', { method: 'POST', ...init });
    return [reply.status, ((await reply.json()) as { error?: string }).error];
  };

  test('PUBLIC_URL decides the host name and the origin', async () => {
    await world.reopen({ PUBLIC_URL: 'https://ledger.example.com/' });
    const options = (await beginAdding()) as { challenge: string; rp?: { id: string } };
    expect(options.rp?.id).toBe('ledger.example.com');
    const made = createAuthenticator('https://ledger.example.com').create(options);
    expect((await ask('POST', '/v1/auth/passkeys', { name: 'x', response: made })).status).toBe(201);
  });

  test('one that does not match is named', async () => {
    await world.reopen({ PUBLIC_URL: 'https://ledger.example.com/' });
    expect(await problem({ headers: { Origin: 'http://10.0.0.7:4318' } })).toEqual([
      409,
      'Passkeys of this server work at https://ledger.example.com; you opened http://10.0.0.7:4318. Open it there, or set PUBLIC_URL to the address in use',
    ]);
  });

  test.each([
    ['http://ledger.example.com', /^Passkeys need https; set PUBLIC_URL/],
    ['https://10.0.0.7', /^Passkeys need a host name, and 10\.0\.0\.7 is an IP address/],
    ['https://[::1]', /is an IP address/],
  ])('%s has no passkeys, and the reply says why', async (PUBLIC_URL, message) => {
    await world.reopen({ PUBLIC_URL });
    expect(await problem()).toEqual([409, expect.stringMatching(message)]);
    const methods = await world.fetch('/v1/auth/methods');
    expect(((await methods.json()) as { passkeys: boolean }).passkeys).toBe(false);
    const { body } = await ask('GET', '/v1/auth/two-factor');
    expect((body as { passkeyProblem: string }).passkeyProblem).toMatch(message);
  });
});
