import { describe, expect, test } from 'bun:test';
import { COMMON_PASSWORDS } from '../../../src/core/auth/passwords/common-passwords.ts';
import { refusePassword } from '../../../src/core/auth/passwords/refuse-password.ts';
import { openTestApp } from '../../helpers/app.ts';
import { linkFor } from '../../helpers/links.ts';

const GRACE = { email: 'grace.hopper@navy.example.com', name: 'Grace Hopper' };
const reasonOf = async (password: string) => {
  try {
    await refusePassword(password, GRACE);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  'password',
  'PASSWORD',
  'Password1!',
  '12password34',
  'qwertyuiop',
  'trustno1',
  'p@ssw0rd',
  'ｐａｓｓｗｏｒｄ',
])('%s is among the common ones', async (password) => {
  expect(await reasonOf(password)).toBe('password is among the 10,000 most common ones; choose another one');
});

test.each(['aaaaaaaaaaaa', 'abcabcabcabc', 'wxyz'.repeat(50), '23456789', 'ihgfedcba', '😀'.repeat(9)])(
  '%s is a repetition or a sequence',
  async (password) => {
    expect(await reasonOf(password)).toBe('password is a repetition or a sequence; choose another one');
  },
);

test.each(['GraceHopper', 'grace.hopper@navy.example.com', 'hopper-1906', 'xXgraceXx', 'navynavy12'])(
  '%s is the own address or name',
  async (password) => {
    expect(await reasonOf(password)).toBe(
      'password is your address or name with little else; choose another one',
    );
  },
);

test.each([
  'correct horse battery',
  'a-long-password',
  'graceful machines compile',
  'tr0ub4dor&3x',
  'Zürich 日本語 ñandú',
  `${'x'.repeat(1000)}y`,
])('%s is taken', async (password) => {
  expect(await reasonOf(password)).toBeNull();
});

test('the list has 10,000 passwords', () => {
  expect(Buffer.from(COMMON_PASSWORDS, 'base64').length).toBe(40_000);
});

describe('a common password is refused, and the link stays good,', () => {
  test.each([
    ['signup/confirm', 'sign-up', 201],
    ['reset-password', 'reset', 200],
    ['verify-email', 'verify', 204],
  ] as const)('by %s', async (path, kind, success) => {
    const world = await openTestApp({ env: { SIGNUP: 'open' } });
    const value = kind === 'sign-up' ? JSON.stringify({ email: GRACE.email }) : world.seed.userId;
    const token = await linkFor(world, kind, value);
    const use = (password: string) => world.fetch(`/v1/auth/${path}`, { json: { token, password } });
    const refused = await use('iloveyou');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: 'password is among the 10,000 most common ones; choose another one' },
    ]);
    expect((await use('a new long password')).status).toBe(success);
    await world.close();
  });

  test('by a sign-up, a change, and the command line', async () => {
    const world = await openTestApp({ env: { SIGNUP: 'open' } });
    const { bearer } = world.seed;
    const change = { currentPassword: 'correct horse battery', newPassword: 'iloveyou' };
    expect((await world.fetch('/v1/auth/change-password', { bearer, json: change })).status).toBe(400);
    const signUp = { email: 'new@example.com', password: 'iloveyou' };
    expect((await world.fetch('/v1/auth/signup', { json: signUp })).status).toBe(400);
    const { createUser } = await import('../../../src/core/auth/index.ts');
    const user = { ...signUp, organization: 'Acme', role: 'viewer' };
    await expect(world.app.act(createUser, user)).rejects.toMatchObject({ status: 400 });
    await world.close();
  });
});
