import { afterEach, expect, test } from 'bun:test';
import {
  createOutbound,
  type Outbound,
  type OutboundOptions,
} from '../../../src/core/outbound/create-outbound.ts';
import { OutboundError } from '../../../src/core/outbound/index.ts';
import { isPublicAddress } from '../../../src/core/outbound/policy.ts';
import { openCanary, openRaw } from './canary.ts';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.ts';

const opened: { close(): void }[] = [];
const keep = <T extends { close(): void }>(one: T): T => {
  opened.push(one);
  return one;
};
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
const client = (options: Partial<OutboundOptions> = {}): Outbound =>
  keep(createOutbound({ userAgent: 'test', ...options }));
const failure = async (work: Promise<unknown>): Promise<OutboundError> => {
  const error = await work.then(
    () => new Error('it worked'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  return error;
};

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
];

/** Spellings of hosts that lead to this machine or to its neighbours. */
const HOSTS = [
  ...PRIVATE.filter((address) => !address.includes('%')).map((address) =>
    address.includes(':') ? `[${address}]` : address,
  ),
  'localhost',
  'LOCALHOST',
  'localhost.',
  'loc%61lhost',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '0x7f000001',
  '127.1',
  '0',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'user:password@127.0.0.1',
  'example.com@127.0.0.1',
];

test('addresses of the public internet are told from all others', () => {
  expect(PRIVATE.filter(isPublicAddress)).toEqual([]);
  const open = ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('no spelling of a forbidden address gets a connection', async () => {
  const canary = keep(await openCanary());
  const outbound = client();
  for (const scheme of ['http', 'https'])
    for (const host of HOSTS) {
      const { code } = await failure(outbound.fetch(`${scheme}://${host}:${canary.port}/`));
      expect([host, code]).toEqual([host, expect.stringMatching(/^(refused|unresolved)$/)]);
    }
  for (const url of [
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1/',
    'javascript:1',
    '//x',
    '',
  ])
    expect((await failure(outbound.fetch(url))).code).toBe('refused');
  expect(canary.count()).toBe(0);
});

test('names that resolve to forbidden addresses get no connection', async () => {
  const canary = keep(await openCanary());
  for (const address of PRIVATE) {
    const outbound = client({ resolve: async () => [address] });
    const { code, message } = await failure(outbound.fetch(`https://rebind.example:${canary.port}/`));
    expect([address, code]).toEqual([address, 'unresolved']);
    expect(message).not.toContain(address);
  }
  expect(canary.count()).toBe(0);
});

test('a name that does not exist and one of the internal network have the same message', async () => {
  const internal = client({ resolve: async () => ['10.0.0.1'] });
  const missing = client({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  const messages = [internal, missing].map(
    async (outbound) => (await failure(outbound.fetch('https://db.corp/'))).message,
  );
  expect(await messages[0]).toBe((await messages[1]) ?? '');
});

test('a resolver that changes its answer at each query reaches only the allowed address', async () => {
  const good = keep(await openRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')));
  const canary = keep(await openCanary('127.0.0.1', good.port));
  const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['::1', '127.0.0.2'], ['::1']];
  let queries = 0;
  const outbound = client({
    allow: '127.0.0.2',
    resolve: async () => answers[queries++ % answers.length] ?? [],
  });
  const outcomes = { ok: 0, unresolved: 0 };
  for (let i = 0; i < 50; i++) {
    const reply = outbound.fetch(`http://rebind.example:${good.port}/`);
    const outcome = await reply.then(
      (response) => response.text(),
      (error: OutboundError) => error.code,
    );
    if (outcome === 'ok' || outcome === 'unresolved') outcomes[outcome]++;
  }
  expect(outcomes).toEqual({ ok: 30, unresolved: 20 });
  expect(queries).toBe(50);
  expect(canary.count()).toBe(0);
});

test.each([301, 302, 303, 307, 308])('a redirect with status %d is not followed', async (status) => {
  const good = keep(
    await openRaw((socket) => {
      const to = `http://127.0.0.1:${good.port}/`;
      socket.end(
        `HTTP/1.1 ${status} Moved\r\nlocation: ${to}\r\nrefresh: 0; url=${to}\r\ncontent-length: 0\r\n\r\n`,
      );
    }),
  );
  const canary = keep(await openCanary('127.0.0.1', good.port));
  const reply = await client({ allow: '127.0.0.2' }).fetch(`http://127.0.0.2:${good.port}/`);
  expect(reply.status).toBe(status);
  expect(canary.count()).toBe(0);
});

test('proxies of the environment are not used', async () => {
  const canary = keep(await openCanary());
  const good = keep(await openRaw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];
  for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
  try {
    const reply = await client({ allow: '127.0.0.2' }).fetch(`http://127.0.0.2:${good.port}/`);
    expect(reply.status).toBe(204);
  } finally {
    for (const name of names) delete process.env[name];
  }
  expect(canary.count()).toBe(0);
});

test('http and ports of other services are refused unless the operator lists the host', async () => {
  const outbound = client({ resolve: async () => ['1.1.1.1'] });
  expect((await failure(outbound.fetch('http://example.com/'))).message).toContain('Use https');
  expect((await failure(outbound.fetch('https://example.com:22/'))).message).toContain('Port 22');
  expect((await failure(outbound.fetch('https://1.1.1.1:25/'))).message).toContain('Port 25');
  expect(() => outbound.check('https://127.0.0.1/')).toThrow('127.0.0.1 is not a public address');
  expect(() => outbound.check('https://example.com/hook')).not.toThrow();
});

test('listed hosts, subnets and names are reached, over http too; so is an origin of the operator', async () => {
  const good = keep(await openRaw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
  const url = `http://hooks.internal:${good.port}/`;
  const resolve = async (): Promise<string[]> => ['127.0.0.2'];
  for (const allow of ['127.0.0.2', '127.0.0.0/29', 'other.example,hooks.internal'])
    expect((await client({ allow, resolve }).fetch(url)).status).toBe(204);
  expect(
    await client({ allow: '127.0.0.0/31', resolve })
      .fetch(url)
      .catch((e) => e.code),
  ).toBe('unresolved');
  const trustedOrigin = `http://hooks.internal:${good.port}`;
  expect((await client({ resolve }).fetch(url, { trustedOrigin })).status).toBe(204);
  const other = keep(await openCanary('127.0.0.2'));
  const elsewhere = client({ resolve }).fetch(`http://hooks.internal:${other.port}/`, { trustedOrigin });
  expect((await failure(elsewhere)).code).toBe('unresolved');
  expect(other.count()).toBe(0);
});

const OK = 'HTTP/1.1 200 OK\r\n';
test.each([
  [
    'endless headers',
    'invalid_reply',
    (write: (text: string) => void) => write(`${OK}${'x: y\r\n'.repeat(50_000)}`),
  ],
  ['another protocol', 'invalid_reply', (write: (text: string) => void) => write('SSH-2.0-OpenSSH_9\r\n')],
  [
    'an upgrade',
    'invalid_reply',
    (write: (text: string) => void) =>
      write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
  [
    'two lengths',
    'invalid_reply',
    (write: (text: string) => void) => write(`${OK}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n`),
  ],
  [
    'a long body',
    'too_large',
    (write: (text: string) => void) => write(`${OK}content-length: 5000\r\n\r\n${'x'.repeat(5000)}`),
  ],
  [
    'a body without end',
    'timeout',
    (write: (text: string) => void) => write(`${OK}content-length: 90\r\n\r\nabc`),
  ],
  ['silence', 'timeout', () => {}],
] as const)('%s ends with %s', async (_name, code, reply) => {
  const closed = Promise.withResolvers<void>();
  const server = keep(
    await openRaw((socket) => {
      socket.once('close', () => closed.resolve());
      reply((text) => void socket.write(text));
    }),
  );
  const outbound = client({ allow: '127.0.0.2' });
  const read = outbound
    .fetch(`http://127.0.0.2:${server.port}/`, { timeoutMs: 300, maxBytes: 4000 })
    .then((response) => response.text());
  expect((await failure(read)).code).toBe(code);
  await closed.promise;
});

test('a reply whose body nobody reads ends at the time limit', async () => {
  const closed = Promise.withResolvers<void>();
  const server = keep(
    await openRaw((socket) => {
      socket.once('close', () => closed.resolve());
      socket.write(`${OK}content-length: 90\r\n\r\nabc`);
    }),
  );
  const url = `http://127.0.0.2:${server.port}/`;
  const outbound = client({ allow: '127.0.0.2' });
  expect((await outbound.fetch(url, { timeoutMs: 200 })).status).toBe(200);
  await closed.promise;
});

test('a request is sent whole, with its headers and without those of the connection', async () => {
  const seen = Promise.withResolvers<string>();
  const echo = Bun.serve({
    hostname: '127.0.0.2',
    port: 0,
    fetch: async (request) => {
      seen.resolve(
        JSON.stringify([
          request.method,
          new URL(request.url).pathname,
          Object.fromEntries(request.headers),
          await request.text(),
        ]),
      );
      return new Response('fine', { headers: { 'x-one': '1' } });
    },
  });
  keep({ close: () => void echo.stop(true) });
  const reply = await client({ allow: '127.0.0.2' }).fetch(`http://127.0.0.2:${echo.port}/a%20b?c=d#e`, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain',
      host: 'evil.example',
      connection: 'upgrade',
      'x-mine': 'a',
    },
    body: 'grüße',
  });
  expect([reply.status, reply.headers.get('x-one'), await reply.text()]).toEqual([200, '1', 'fine']);
  expect(JSON.parse(await seen.promise)).toEqual([
    'POST',
    '/a%20b',
    {
      'accept-encoding': 'identity',
      connection: 'close',
      'content-length': '7',
      'content-type': 'text/plain',
      host: `127.0.0.2:${echo.port}`,
      'user-agent': 'test',
      'x-mine': 'a',
    },
    'grüße',
  ]);
});

test('closing ends the requests under way', async () => {
  const server = keep(await openRaw(() => outbound.close()));
  const outbound = client({ allow: '127.0.0.2' });
  expect((await failure(outbound.fetch(`http://127.0.0.2:${server.port}/`))).code).toBe('aborted');
});

test('over TLS the certificate must be for the name, although the address is connected to', async () => {
  const names: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.2',
    port: 0,
    tls: { cert: CERTIFICATE, key: PRIVATE_KEY },
    fetch: (request) => {
      names.push(request.headers.get('host') ?? '');
      return new Response('x'.repeat(200_000));
    },
  });
  keep({ close: () => void server.stop(true) });
  const options = { allow: '127.0.0.2', resolve: async () => ['127.0.0.2'] };
  const trusting = client({ ...options, ca: CERTIFICATE });
  const url = (name: string): string => `https://${name}:${server.port}/`;
  expect((await (await trusting.fetch(url('hooks.internal'))).text()).length).toBe(200_000);
  expect((await (await trusting.fetch(url('hooks.internal.'))).text()).length).toBe(200_000);
  expect((await failure(trusting.fetch(url('other.internal')))).code).toBe('tls');
  expect((await failure(trusting.fetch(url('127.0.0.2')))).code).toBe('tls');
  expect((await failure(client(options).fetch(url('hooks.internal')))).code).toBe('tls');
  expect(names).toEqual([`hooks.internal:${server.port}`, `hooks.internal.:${server.port}`]);
});

test('if an address does not answer, the next one is tried', async () => {
  const good = keep(await openRaw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
  const outbound = client({ allow: '127.0.0.0/8', resolve: async () => ['127.0.0.3', '127.0.0.2'] });
  expect((await outbound.fetch(`http://two.example:${good.port}/`)).status).toBe(204);
});
