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
