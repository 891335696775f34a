import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { type Env, loadConfig } from '../../../src/config.ts';
import { placeOf } from '../../../src/db/remote/place-of.ts';
import { openFolder } from '../../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());

const SETTINGS = {
  DATABASE_URL: 'libsql://ledger.example.com',
  EVENTS_URL: 'clickhouse://writer@events.example.com:8123/spanledger',
  BETTER_AUTH_SECRET: '0123456789012345678901234567890123456789',
};
const place = (env: Env) => placeOf(loadConfig({ env: { ...SETTINGS, ...env } }).values);

test('a path is a file', () => {
  expect(place({ DATABASE_URL: '/var/lib/ledger.db' })).toBe('/var/lib/ledger.db');
});

test('each process has a lease of its own', () => {
  const [one, two] = [place({}), place({})];
  expect(one).toMatchObject({ url: 'libsql://ledger.example.com', token: null });
  expect(one).not.toEqual(two);
});

test('the token is that of the setting or of the file', () => {
  writeFileSync(folder.path('token'), 'from-a-file\n');
  expect(place({ DATABASE_AUTH_TOKEN: 'given' })).toMatchObject({ token: 'given' });
  expect(place({ DATABASE_AUTH_TOKEN_FILE: folder.path('token') })).toMatchObject({ token: 'from-a-file' });
});

test.each([
  ['events in it', { EVENTS_URL: undefined }, 'events on a libSQL server are not supported'],
  ['no secret', { BETTER_AUTH_SECRET: undefined }, 'BETTER_AUTH_SECRET is not set'],
  ['copies of a file', { BACKUP_TO: '/backups' }, 'BACKUP_TO copies a database file'],
  ['two tokens', { DATABASE_AUTH_TOKEN: 'a', DATABASE_AUTH_TOKEN_FILE: '/b' }, 'are both set'],
  ['a file without a token', { DATABASE_AUTH_TOKEN_FILE: '/dev/null' }, 'holds no token'],
  ['a file that is not there', { DATABASE_AUTH_TOKEN_FILE: '/nowhere/token' }, 'cannot be read'],
  ['a token in the address', { DATABASE_URL: 'libsql://host?authToken=x' }, 'DATABASE_URL'],
  ['a user in the address', { DATABASE_URL: 'libsql://user:x@host' }, 'DATABASE_URL'],
  ['a WebSocket', { DATABASE_URL: 'wss://host' }, 'DATABASE_URL'],
])('%s is refused', (_, env, message) => {
  expect(() => place(env)).toThrow(message);
});

test('a token in the address is not printed', () => {
  const env = { DATABASE_URL: 'libsql://user:hidden@host?authToken=hidden' };
  expect(() => place(env)).toThrow(expect.not.stringContaining('hidden'));
});
