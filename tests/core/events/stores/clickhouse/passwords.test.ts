import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../../../../../src/config.ts';
import { addressOf } from '../../../../../src/core/events/stores/clickhouse/address.ts';
import { connectEngine } from '../../../../../src/core/events/stores/clickhouse/engine/connect.ts';
import { sql } from '../../../../../src/core/events/stores/clickhouse/engine/sql.ts';
import { openFolder } from '../../../../helpers/folder.ts';

const folder = openFolder();
/** The requests that a server got: who asks, and the address. */
const seen: { readonly user: string; readonly url: string }[] = [];
const server = Bun.serve({
  port: 0,
  fetch(request) {
    const basic = request.headers.get('authorization')?.replace('Basic ', '') ?? '';
    seen.push({ user: atob(basic), url: request.url });
    return new Response('');
  },
});
afterAll(async () => {
  await server.stop(true);
  folder.remove();
});

const configOf = (env: Record<string, string>) =>
  loadConfig({
    env: {
      EVENTS_URL: `clickhouse://ledger@127.0.0.1:${server.port}/events`,
      EVENTS_READ_USER: 'reader',
      ...env,
    },
  }).values;

test('passwords come from files, and are sent in a header and in no address', async () => {
  const [own, reader] = [folder.path('password'), folder.path('read-password')];
  writeFileSync(own, 'own secret\n');
  writeFileSync(reader, 'read secret');
  const address = addressOf(configOf({ EVENTS_PASSWORD_FILE: own, EVENTS_READ_PASSWORD_FILE: reader }));
  if (address === null) throw new Error('there is an address');
  const engine = connectEngine(address);
  await engine.run(sql`SELECT 1`);
  await engine.read([7], sql`SELECT 1`);
  await engine.close();
  expect(seen.map(({ user }) => user)).toEqual(['ledger:own secret', 'reader:read secret']);
  expect(seen.every(({ url }) => !url.includes('secret'))).toBe(true);
  expect(new URL(seen[1]?.url ?? '').searchParams.get('SQL_project_ids')).toBe('7');
});

test('a file that cannot be read is named with its setting, and a password without its user is refused', () => {
  const config = configOf({ EVENTS_PASSWORD_FILE: folder.path('absent') });
  expect(() => addressOf(config)).toThrow('EVENTS_PASSWORD_FILE: cannot read');
  expect(() => loadConfig({ env: { EVENTS_PASSWORD_FILE: folder.path('absent') } })).toThrow('EVENTS_URL');
});
