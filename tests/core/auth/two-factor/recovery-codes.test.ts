import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../../helpers/app.ts';
import { addApp, startSignIn } from '../../../helpers/factors.ts';
import { asker } from '../../../helpers/people.ts';

let world: TestApp;
let codes: string[];
beforeEach(async () => {
  world = await openTestApp();
  codes = (await addApp(world, world.seed.bearer)).recoveryCodes ?? [];
});
afterEach(() => world.close());

const use = async (recoveryCode: string | undefined, address = '198.51.100.9') => {
  const { challenge } = await startSignIn(world, world.seed.email);
  const json = { challenge, recoveryCode };
  return (await world.fetch('/v1/auth/login/second-factor', { json, address })).status;
};
const replace = (json: object) =>
  asker(world)('POST', '/v1/auth/two-factor/recovery-codes', world.seed.bearer, json);
const left = async () => {
  const reply = await world.fetch('/v1/auth/two-factor', { bearer: world.seed.bearer });
  return ((await reply.json()) as { recoveryCodesLeft: number }).recoveryCodesLeft;
};

test('each signs in once, however it is typed', async () => {
  expect(await use(codes[0])).toBe(200);
  expect(await use(codes[0])).toBe(401);
  expect(await use(codes[1]?.toLowerCase().replaceAll('-', ' '))).toBe(200);
  expect(await left()).toBe(8);
});

test('of concurrent uses of one, one gets in', async () => {
  const statuses = await Promise.all([1, 2, 3].map(() => use(codes[2])));
  expect(statuses.sort()).toEqual([200, 401, 401]);
});

test("another person's does not fit", async () => {
  const member = await world.addUser('member');
  const { recoveryCodes } = await addApp(world, member.bearer);
  expect(await use(recoveryCodes?.[0])).toBe(401);
});

test('after ten wrong ones of an address it has to wait, and other addresses have not', async () => {
  for (let n = 0; n < 10; n++) expect(await use('AAAA-AAAA-AAAA-AAAA')).toBe(401);
  expect(await use(codes[0])).toBe(429);
  expect(await use(codes[0], '198.51.100.10')).toBe(200);
});

test('new ones replace the old ones, with the password', async () => {
  expect((await replace({})).status).toBe(400);
  expect((await replace({ password: 'wrong password' })).status).toBe(403);
  await use(codes[0]);
  const { status, body } = await replace({ password: TEST_PASSWORD });
  expect(status).toBe(201);
  expect(await left()).toBe(10);
  expect(await use(codes[1])).toBe(401);
  expect(await use((body as { recoveryCodes: string[] }).recoveryCodes[1])).toBe(200);
});

test('a person without a factor gets none', async () => {
  const { bearer } = await world.addUser('member');
  const reply = await asker(world)('POST', '/v1/auth/two-factor/recovery-codes', bearer, {
    password: TEST_PASSWORD,
  });
  expect(reply.status).toBe(409);
});
