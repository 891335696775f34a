import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { TEST_NOW } from '../../helpers/app.ts';

/** How often the process is killed; the long form is ALERT_KILLS=200. */
const ROUNDS = Number(process.env.ALERT_KILLS ?? 3);
/** After how many minutes of its clock each round is killed, and how many milliseconds later. */
const minutesOf = (round: number): number => 4 + ((round * 7) % 13);
const killAfter = (round: number): number => ((round * 53) % 23) + (round % 7) / 7;

/** Resolves when a process has written so many lines. */
async function lines(stdout: ReadableStream<Uint8Array>, count: number): Promise<void> {
  // It is not closed, so that the process ends by the kill and not by what it writes.
  const reader = stdout.getReader();
  const decoder = new TextDecoder();
  for (let seen = 0; seen < count; ) {
    const { value, done } = await reader.read();
    if (done) return;
    seen += decoder.decode(value, { stream: true }).split('\n').length - 1;
  }
}

type Told = { type: string; data: { group: string; windowEnd: string } };
const causeOf = ({ type, data }: Told): string => `${type} ${data.group} ${data.windowEnd}`;

test(
  'kill -9 while alerts fire into an endpoint that fails half the time: nothing lost, nothing under two ids',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    const file = join(folder, 'test.db');
    const idsOf = new Map<string, Set<string>>();
    const arrived = new Set<string>();
    const failuresOf = new Map<string, number>();
    let requests = 0;
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) => {
        const cause = causeOf((await request.json()) as Told);
        idsOf.set(cause, (idsOf.get(cause) ?? new Set()).add(request.headers.get('webhook-id') ?? ''));
        const failures = failuresOf.get(cause) ?? 0;
        // Never so often that a delivery uses up its attempts.
        if (requests++ % 2 === 0 && failures < 6) {
          failuresOf.set(cause, failures + 1);
          return new Response(null, { status: 500 });
        }
        arrived.add(cause);
        return new Response(null, { status: 204 });
      },
    });
    const scenario = join(import.meta.dir, 'evaluation.scenario.ts');
    const start = (at: number, task: 'work' | 'drain') =>
      Bun.spawn(['bun', scenario, file, String(at), `http://127.0.0.1:${server.port}/`, task], {
        stdout: 'pipe',
        stderr: 'inherit',
      });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const child = start(TEST_NOW + (round * HOUR_MS) / 2, 'work');
        await lines(child.stdout, minutesOf(round));
        await Bun.sleep(killAfter(round));
        child.kill('SIGKILL');
        await child.exited;
      }
      expect(await start(TEST_NOW + (ROUNDS / 2 + 24) * HOUR_MS, 'drain').exited).toBe(0);
      const db = new Libsql(file);
      const rows = (sql: string) => db.prepare(sql).raw(true).all([]) as string[][];
      const stored = rows('SELECT type, data, status FROM deliveries').map(
        ([type = '', data = '', status]) => ({
          cause: causeOf({ type, data: JSON.parse(data) as Told['data'] }),
          status,
        }),
      );
      const changes = rows(
        "SELECT to_state, group_key, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') FROM alert_history WHERE notified = 'sent'",
      ).map(([to, group, at]) => `${to === 'ok' ? 'alert.resolved' : 'alert.fired'} ${group} ${at}`);
      db.close();
      expect(changes.length).toBeGreaterThan(1);
      // Each change was told once, and each was delivered, whatever was killed.
      expect(stored.map(({ cause }) => cause).sort()).toEqual(changes.sort());
      expect([...new Set(stored.map(({ status }) => status))]).toEqual(['delivered']);
      expect([...arrived].sort()).toEqual(changes);
      expect([...idsOf.values()].filter(({ size }) => size !== 1)).toEqual([]);
    } finally {
      await server.stop(true);
      rmSync(folder, { recursive: true });
    }
  },
  60_000 + ROUNDS * 5_000,
);
