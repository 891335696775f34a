import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

type Row = { id: string; current: boolean; userAgent: string | null };
const list = async (bearer: string): Promise<Row[]> => {
  const reply = await world.fetch('/v1/auth/sessions', { bearer });
  return ((await reply.json()) as { sessions: Row[] }).sessions;
};
const end = (id: string, bearer: string) =>
  world.fetch(`/v1/auth/sessions/${id}`, { method: 'DELETE', bearer });
const me = async (bearer: string) => (await world.fetch('/v1/auth/me', { bearer })).status;

test('a person sees their own sessions only, and no token', async () => {
  await world.addUser('admin');
  world.clock.advance(1_000);
  const other = await world.signIn(world.seed.email);
  const rows = await list(other);
  expect(rows.map(({ current }) => current)).toEqual([true, false]);
  expect(rows[0]).toEqual({
    id: expect.stringMatching(/^ses_/),
    createdAt: new Date(world.clock.now()).toISOString(),
    expiresAt: new Date(world.clock.now() + 604_800_000).toISOString(),
    ipAddress: '127.0.0.1',
    userAgent: null,
    current: true,
  } as never);
  world.clock.advance(604_800_000 - 1_000);
  expect(await list(other)).toHaveLength(1);
});

test('a person ends one session of theirs, at once', async () => {
  const other = await world.signIn(world.seed.email);
  const { id = '' } = (await list(world.seed.bearer)).find(({ current }) => !current) ?? {};
  expect((await end(id, world.seed.bearer)).status).toBe(204);
  expect([await me(other), await me(world.seed.bearer)]).toEqual([401, 200]);
  expect((await end(id, world.seed.bearer)).status).toBe(404);
});

test("nobody ends another's session", async () => {
  const stranger = await world.addTenant();
  const [session] = await list(world.seed.bearer);
  expect((await end(session?.id ?? '', stranger.bearer)).status).toBe(404);
  expect(await me(world.seed.bearer)).toBe(200);
});

test('a person ends all others at once', async () => {
  const others = await Promise.all([1, 2, 3].map(() => world.signIn(world.seed.email)));
  const stranger = await world.addTenant();
  const reply = await world.fetch('/v1/auth/sessions', { method: 'DELETE', bearer: world.seed.bearer });
  expect(await reply.json()).toEqual({ ended: 3 });
  for (const bearer of others) expect(await me(bearer)).toBe(401);
  expect([await me(world.seed.bearer), await me(stranger.bearer)]).toEqual([200, 200]);
});
