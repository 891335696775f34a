import { expect, test } from 'bun:test';
import { openTestApp } from './app.ts';

test('the test app also runs like the server, with a writer thread and reader processes', async () => {
  const world = await openTestApp({ mode: 'serve' });
  const { bearer } = await world.addTenant();
  for (const token of [world.seed.bearer, bearer]) {
    expect((await world.fetch('/v1/auth/me', { bearer: token })).status).toBe(200);
  }
  await world.close();
});
