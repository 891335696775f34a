import { afterAll, expect, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { openFolder } from './helpers/folder.ts';
import { hasRedis, startRedis } from './helpers/redis.ts';
import { initLedger, startServer } from './helpers/server.ts';

const folder = openFolder();
afterAll(() => folder.remove());

test.skipIf(!hasRedis)(
  'two servers over one Redis accept exactly the limit of a key, whichever they ask',
  async () => {
    const redis = await startRedis();
    const files = [folder.path('a.db'), folder.path('b.db')] as const;
    const { apiKey } = await initLedger(files[0], 'ada@example.com', 'correct horse battery');
    copyFileSync(files[0], files[1]);
    await Bun.write(folder.path('env'), `REDIS_URL=${redis.url}\nREDIS_FALLBACK=refuse\n`);
    const servers = await Promise.all(
      files.map((file) => startServer(file, ['--env-file', folder.path('env')])),
    );
    try {
      const ask = async (i: number) => {
        const url = `${servers[i % 2]?.url}/v1/sdk/config`;
        const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
        await response.arrayBuffer();
        return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
      };
      const replies = await Promise.all(Array.from({ length: 2_400 }, (_, i) => ask(i)));
      const count = (status: number) => replies.filter((reply) => reply.status === status).length;
      expect([count(200), count(429)]).toEqual([1_000, 1_400]);
      const waits = replies.filter(({ status }) => status === 429).map(({ retryAfter }) => retryAfter);
      expect(waits.every((seconds) => seconds >= 1 && seconds <= 60)).toBe(true);
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGTERM')));
      await redis.close();
    }
  },
  60_000,
);

test.skipIf(!hasRedis)(
  'two servers over one Redis answer exactly 20 requests to /v1/ai/* an hour for an organization, and say when the next is',
  async () => {
    const redis = await startRedis();
    const files = [folder.path('c.db'), folder.path('d.db')] as const;
    const [email, password] = ['ada@example.com', 'correct horse battery'];
    const { projectId } = await initLedger(files[0], email, password);
    copyFileSync(files[0], files[1]);
    await Bun.write(folder.path('env2'), `REDIS_URL=${redis.url}\nREDIS_FALLBACK=refuse\n`);
    const servers = await Promise.all(
      files.map((file) => startServer(file, ['--env-file', folder.path('env2')])),
    );
    try {
      const tokens = await Promise.all(
        servers.map(async ({ url }) => {
          const login = await fetch(`${url}/v1/auth/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ email, password }),
          });
          return ((await login.json()) as { token: string }).token;
        }),
      );
      const ask = async (i: number) => {
        // What it asks about does not exist, which is said after the request was counted.
        const route = i % 3 === 0 ? 'explain' : 'root-cause';
        const body = route === 'explain' ? { anomalyId: 'none' } : { incidentId: 'none' };
        const response = await fetch(`${servers[i % 2]?.url}/v1/ai/${route}?projectId=${projectId}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tokens[i % 2]}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await response.arrayBuffer();
        return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
      };
      const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(i)));
      const count = (status: number) => replies.filter((reply) => reply.status === status).length;
      expect([count(400) + count(404), count(429)]).toEqual([20, 40]);
      const waits = replies.filter(({ status }) => status === 429).map(({ retryAfter }) => retryAfter);
      // The first was accepted moments ago, and the window is an hour.
      expect(waits.every((seconds) => seconds > 3_500 && seconds <= 3_600)).toBe(true);
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGTERM')));
      await redis.close();
    }
  },
  120_000,
);
