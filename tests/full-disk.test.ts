import { expect, test } from 'bun:test';
import { join } from 'node:path';

/** What `full-disk.scenario.ts` saw on a file system of its own that fills up and is emptied again. */
type Seen = {
  whileFull: {
    refused: unknown[];
    reads: number[];
    total: number;
    ready: number;
    health: number;
    sealing: string;
  };
  /** By a server that was started on the full disk. */
  restarted: { refused: unknown; status: number; total: number };
  acknowledged: number;
  afterRoom: number[];
  ready: number;
  /** Exit code of the job that seals. */
  sealed: number;
  stored: {
    missing: number;
    events: number;
    sealed: boolean;
    faults: string[];
    quota: number;
    integrity: string;
  };
};

test('a full disk refuses writes, loses nothing acknowledged, serves reads, also after a restart, and writes again once there is room', async () => {
  const scenario = join(import.meta.dir, 'full-disk.scenario.ts');
  const mount = 'mount -t tmpfs -o size=32m tmpfs /mnt && exec "$0" "$@"';
  const child = Bun.spawn(
    ['unshare', '--mount', '--map-root-user', 'sh', '-c', mount, process.execPath, scenario, '/mnt'],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  const { whileFull, restarted, acknowledged, afterRoom, ready, sealed, stored } = JSON.parse(text) as Seen;
  const refusal = { status: 503, error: 'The disk is full; nothing was stored', retryAfter: '1' };
  expect(whileFull.refused).toEqual(Array.from({ length: 5 }, () => refusal));
  expect(whileFull).toMatchObject({ reads: [200, 200, 200, 200], health: 200, ready: 503 });
  expect(whileFull.sealing).toContain(refusal.error);
  expect(whileFull.total).toBe(acknowledged);
  expect(restarted).toEqual({ refused: refusal, status: 200, total: acknowledged });
  expect(afterRoom).toEqual([202, 202, 202, 202, 202]);
  expect([ready, sealed]).toEqual([200, 0]);
  const events = acknowledged + 500;
  expect(stored).toEqual({
    missing: 0,
    events,
    sealed: true,
    faults: [],
    quota: events,
    integrity: 'ok',
  });
}, 60_000);
