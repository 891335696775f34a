import { expect, test } from 'bun:test';
import { openTestApp, TEST_PASSWORD } from '../../helpers/app.ts';

test('another BETTER_AUTH_SECRET ends every session: bearer tokens, cookies and raw tokens alike', async () => {
  const world = await openTestApp();
  const people = [
    world.seed.bearer,
    (await world.addUser('admin')).bearer,
    (await world.addUser('viewer')).bearer,
  ];
  const json = { email: world.seed.email, password: TEST_PASSWORD, cookie: true };
  const reply = await world.fetch('/v1/auth/login', { json, headers: { Origin: 'http://localhost' } });
  const cookie = reply.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  expect(cookie).not.toBe('');
  const credentials = [
    ...people.map((bearer) => ({ Authorization: `Bearer ${bearer}` })),
    { Cookie: cookie },
  ];
  const raw = people.map((bearer) => ({ Authorization: `Bearer ${bearer.split('.')[0]}` }));
  const statuses = (headers: readonly Record<string, string>[]) =>
    Promise.all(headers.map(async (one) => (await world.fetch('/v1/auth/me', { headers: one })).status));

  expect(await statuses(credentials)).toEqual([200, 200, 200, 200]);
  expect(await statuses(raw)).toEqual([401, 401, 401]);
  await world.reopen({ BETTER_AUTH_SECRET: 'another secret of the tests, 32 characters or more' });
  expect(await statuses([...credentials, ...raw])).toEqual(new Array(7).fill(401));
  // API keys are not sessions, and who signs in anew is let in.
  expect((await world.fetch('/v1/sdk/config', { apiKey: world.seed.apiKey })).status).toBe(200);
  expect(await statuses([{ Authorization: `Bearer ${await world.signIn(world.seed.email)}` }])).toEqual([
    200,
  ]);
  await world.close();
});
