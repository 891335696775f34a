import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { TEST_NOW } from '../../helpers/app.ts';

/** How often the process is killed; the long form is DELIVERY_ROUNDS=200. */
const ROUNDS = Number(process.env.DELIVERY_ROUNDS ?? 4);
const HOUR_MS = 3_600_000;
/** When each round is killed, in milliseconds after it began: spread over the steps of a delivery. */
const killAfter = (round: number): number => 30 + ((round * 37) % 170) + (round % 7) / 7;

test(
  'kill -9 at any point, with an endpoint that fails half the time, loses nothing and gives nothing two ids',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deliveries-'));
    const file = join(folder, 'test.db');
    const idsOf = new Map<string, Set<string>>();
    const arrived = new Set<string>();
    const failuresOf = new Map<string, number>();
    let requests = 0;
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const { data } = (await request.json()) as { data: { cause: string } };
        const ids = idsOf.get(data.cause) ?? new Set();
        idsOf.set(data.cause, ids.add(request.headers.get('webhook-id') ?? ''));
        const failures = failuresOf.get(data.cause) ?? 0;
        // Never so often that a delivery uses up its attempts.
        if (requests++ % 2 === 0 && failures < 6) {
          failuresOf.set(data.cause, failures + 1);
          return new Response(null, { status: 500 });
        }
        arrived.add(data.cause);
        return new Response(null, { status: 204 });
      },
    });
    const start = (at: number, task: 'work' | 'drain') =>
      Bun.spawn(
        [
          'bun',
          join(import.meta.dir, 'sender.scenario.ts'),
          file,
          String(at),
          `http://127.0.0.1:${server.port}/`,
          task,
        ],
        { stdout: 'pipe', stderr: 'inherit' },
      );
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const child = start(TEST_NOW + (round * HOUR_MS) / 2, 'work');
        await child.stdout.getReader().read();
        await Bun.sleep(killAfter(round));
        child.kill('SIGKILL');
        await child.exited;
      }
      expect(await start(TEST_NOW + (ROUNDS / 2 + 24) * HOUR_MS, 'drain').exited).toBe(0);
      const db = new Libsql(file);
      const all = (sql: string) => (db.prepare(sql).raw(true).all([]) as string[][]).flat();
      const causes = all("SELECT id FROM organizations WHERE name = 'cause'");
      const states = all('SELECT DISTINCT status FROM deliveries');
      db.close();
      expect(causes.length).toBeGreaterThan(ROUNDS);
      expect(states).toEqual(['delivered']);
      expect(arrived).toEqual(new Set(causes));
      expect([...idsOf.values()].filter(({ size }) => size !== 1)).toEqual([]);
    } finally {
      await server.stop(true);
      rmSync(folder, { recursive: true });
    }
  },
  60_000 + ROUNDS * 5_000,
);
