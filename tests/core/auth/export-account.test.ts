import { expect, test } from 'bun:test';
import { openTestApp } from '../../helpers/app.ts';

test('a person downloads what is stored about them, without secrets and without others', async () => {
  const world = await openTestApp();
  const { seed } = world;
  await world.addUser('admin');
  const other = await world.addTenant();
  const response = await world.fetch('/v1/auth/export', { bearer: seed.bearer });
  expect(response.status).toBe(200);
  const text = await response.text();
  const data = JSON.parse(text) as { loginSessions: { current: boolean }[] };
  expect(data).toMatchObject({
    user: { id: seed.userId, email: seed.email },
    memberships: [{ organizationId: seed.organizationId, role: 'owner' }],
    signInMethods: [{ provider: 'credential' }],
    authenticatorAppSince: null,
    passkeys: [],
  });
  expect(data.loginSessions.some(({ current }) => current)).toBe(true);
  for (const secret of ['$2', seed.bearer, seed.apiKey, other.email, other.organizationId])
    expect(text).not.toContain(secret);
  await world.close();
});
