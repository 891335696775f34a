import { expect, test } from 'bun:test';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { openTestApp, TEST_PASSWORD } from '../../helpers/app.ts';

test('a sign-in that the store can not write is to be tried again', async () => {
  const world = await openTestApp();
  await world.ctx.db.writer.close();
  const { email, bearer } = world.seed;
  const login = await world.fetch('/v1/auth/login', { json: { email, password: TEST_PASSWORD } });
  expect([login.status, login.headers.get('Retry-After')]).toEqual([503, '1']);
  expect((await world.fetch('/v1/auth/logout', { method: 'POST', bearer })).status).toBe(503);
  await world.close();
});

test('a statement that fails leaves its values out of the log', async () => {
  const world = await openTestApp();
  const sql = "CREATE TRIGGER broken BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END";
  await world.ctx.db.writer.write(sqlOp, [{ sql, args: [] }]);
  const { email, userId } = world.seed;
  const login = await world.fetch('/v1/auth/login', { json: { email, password: TEST_PASSWORD } });
  expect(login.status).toBe(500);
  const log = world.errors.splice(0).join('\n');
  expect(log).toContain('broken');
  expect(log).toContain('insert into');
  // It is a value like the token beside it.
  expect(log).not.toContain(userId);
  await world.close();
});
