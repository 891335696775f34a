import { afterEach, beforeEach, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { sessions } from '../../../src/core/auth/table.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';

const MINUTE_MS = 60_000;

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp({ env: { SESSION_IDLE_SECONDS: '1800' } });
});
afterEach(() => world.close());

const me = async (bearer = world.seed.bearer) => (await world.fetch('/v1/auth/me', { bearer })).status;
const seenAt = async () => (await world.ctx.db.sql.select().from(sessions))[0]?.updatedAt.getTime();

test('a login session ends after that long without a request, to the millisecond', async () => {
  world.clock.advance(30 * MINUTE_MS - 1);
  expect(await me()).toBe(200);
  world.clock.advance(30 * MINUTE_MS - 1);
  expect(await me()).toBe(200);
  world.clock.advance(30 * MINUTE_MS);
  expect([await me(), await me()]).toEqual([401, 401]);
  const bearer = await world.signIn(world.seed.email);
  const { sessions: listed } = (await (await world.fetch('/v1/auth/sessions', { bearer })).json()) as {
    sessions: unknown[];
  };
  expect(listed).toHaveLength(1);
});

test('its uses survive a restart, and the file gets one a minute', async () => {
  const start = world.clock.now();
  world.clock.advance(MINUTE_MS);
  await me();
  await eventually('the use in the file', async () => (await seenAt()) === start + MINUTE_MS);
  world.clock.advance(MINUTE_MS - 1);
  await me();
  await me();
  expect(await seenAt()).toBe(start + MINUTE_MS);
  await world.reopen();
  world.clock.set(start + 31 * MINUTE_MS - 1);
  expect(await me()).toBe(200);
});

test('without the setting it ends with its lifetime only', async () => {
  await world.reopen({ SESSION_IDLE_SECONDS: undefined });
  world.clock.advance(6 * 24 * 60 * MINUTE_MS);
  expect(await me()).toBe(200);
  const [row] = await world.ctx.db.sql.select().from(sessions).where(eq(sessions.userId, world.seed.userId));
  expect(row?.updatedAt).toEqual(row?.createdAt as Date);
});
