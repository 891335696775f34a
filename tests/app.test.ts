import { expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { openTestApp } from './helpers/app.ts';

test.each(['', '\n', '0a1b2c'])('a truncated secret file (%j) is not used for signing', async (rest) => {
  const app = await openTestApp({ env: { BETTER_AUTH_SECRET: '' } });
  const file = `${app.ctx.db.path}.secret`;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, rest);
  await app.reopen();
  expect(app.ctx.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(file, 'utf8')).toBe(`${app.ctx.secret}\n`);
  const { secret } = app.ctx;
  await app.reopen();
  expect(app.ctx.secret).toBe(secret);
  await app.close();
});
