import { expect, test } from 'bun:test';
import pino from 'pino';
import { loadConfig } from '../../src/config.ts';
import { noticesAction } from '../../src/features/health/notices.ts';
import { createAddressReader } from '../../src/http/client-address.ts';
import { auditRows } from '../core/audit/rows.ts';
import { openTestApp, TEST_NOW } from '../helpers/app.ts';

const read = createAddressReader('10.0.0.0/8,127.0.0.1,fd00::/8');
const from = (forwarded: string | null, peer: string | null = '10.0.0.1') =>
  read(
    new Request('http://x/', forwarded === null ? {} : { headers: { 'X-Forwarded-For': forwarded } }),
    peer,
  );

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['198.51.100.1, 192.0.2.7, 10.2.3.4, fd00::5', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['evil, 10.9.9.9', '10.9.9.9'],
  ['<script>', '10.0.0.1'],
  ['', '10.0.0.1'],
  [null, '10.0.0.1'],
  ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
] as const)('behind a trusted proxy %j comes from %s', (forwarded, address) => {
  expect(from(forwarded)).toBe(address);
  expect(from(forwarded, '::ffff:10.0.0.1')?.replace('::ffff:', '')).toBe(address);
});

test('the header of an untrusted peer is ignored', () => {
  for (const peer of ['192.0.2.1', '2001:db8::9', null, ''])
    expect(from('10.0.0.1, 1.2.3.4', peer)).toBe(peer);
  const none = createAddressReader(undefined);
  expect(none(new Request('http://x/', { headers: { 'X-Forwarded-For': '1.2.3.4' } }), '127.0.0.1')).toBe(
    '127.0.0.1',
  );
});

test('the setting takes addresses and subnets', () => {
  const load = (TRUSTED_PROXIES: string) => loadConfig({ env: { TRUSTED_PROXIES } }).values.TRUSTED_PROXIES;
  expect(load('127.0.0.1, fd00::/8 ,10.0.0.0/8')).toBe('127.0.0.1,fd00::/8,10.0.0.0/8');
  for (const bad of ['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '10.0.0.1,'])
    expect(() => load(bad)).toThrow('Set TRUSTED_PROXIES to addresses and subnets');
});

test('rate limits and the audit log use the address from the trusted proxy', async () => {
  const world = await openTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const login = (client: string) =>
    world.fetch('/v1/auth/login', {
      json: { email: `${client}@example.com`, password: 'wrong' },
      headers: { 'X-Forwarded-For': client },
    });
  for (let i = 0; i < 10; i++) expect((await login('192.0.2.1')).status).toBe(401);
  expect((await login('192.0.2.1')).status).toBe(429);
  expect((await login('192.0.2.2')).status).toBe(401);
  await world.fetch(`/v1/projects/${world.seed.projectId}/sdk-config`, {
    method: 'PUT',
    bearer: world.seed.bearer,
    json: { sampleRate: 0.5 },
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  });
  expect((await auditRows(world.ctx, world.seed.organizationId)).at(-1)?.address).toBe('203.0.113.9');
  await world.close();
});

test('without trusted proxies, a forwarded request is logged once and told to the operator', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const world = await openTestApp({ log });
  const notices = () => world.app.act(noticesAction, {});
  const headers = { 'X-Forwarded-For': '192.0.2.7' };
  try {
    await world.fetch('/healthz');
    expect(await notices()).toEqual({ notices: [] });
    for (const address of ['10.0.0.9', '10.0.0.8']) await world.fetch('/healthz', { headers, address });
    const text =
      'A request from 10.0.0.9 had X-Forwarded-For, but TRUSTED_PROXIES is not set: limits by address and the audit log take the peer for the client. If it is your proxy, set TRUSTED_PROXIES to its address';
    expect(await notices()).toEqual({ notices: [{ since: new Date(TEST_NOW).toISOString(), text }] });
    expect(lines.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1);
    await world.reopen({ TRUSTED_PROXIES: '127.0.0.1' });
    await world.fetch('/healthz', { headers, address: '10.0.0.9' });
    expect(await notices()).toEqual({ notices: [] });
  } finally {
    await world.close();
  }
});
