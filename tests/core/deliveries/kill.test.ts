import { expect, test } from 'bun:test';
import { join } from 'node:path';
import Libsql from 'libsql';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { TEST_NOW } from '../../helpers/app.ts';
import { bundleProgram, type Program } from '../../helpers/bundle.ts';
import { openFolder } from '../../helpers/folder.ts';
import { killRounds, openFailingEndpoint } from '../../helpers/kill-rounds.ts';

/** How often the process is killed; the long form is DELIVERY_ROUNDS=200. */
const ROUNDS = Number(process.env.DELIVERY_ROUNDS ?? 4);

test(
  'kill -9 at any point, with an endpoint that fails half the time, loses nothing and gives nothing two ids',
  async () => {
    const folder = openFolder();
    const file = folder.path('test.db');
    const endpoint = openFailingEndpoint((body) => (body as { data: { cause: string } }).data.cause);
    const sender = await bundleProgram(join(import.meta.dir, 'sender.scenario.ts'), folder.path('program'));
    const program = (at: number, task: 'work' | 'drain'): Program =>
      sender([file, String(at), endpoint.url, task]);
    try {
      const written = await killRounds({
        program: (round) => program(TEST_NOW + (round * HOUR_MS) / 2, 'work'),
        rounds: ROUNDS,
        maxLines: 12,
      });
      const drain = Bun.spawn(program(TEST_NOW + (ROUNDS / 2 + 24) * HOUR_MS, 'drain'));
      expect(await drain.exited).toBe(0);
      const db = new Libsql(file);
      const all = (sql: string) => (db.prepare(sql).raw(true).all([]) as string[][]).flat();
      const causes = all("SELECT id FROM organizations WHERE name = 'cause'");
      const states = all('SELECT DISTINCT status FROM deliveries');
      db.close();
      expect(causes.length).toBeGreaterThanOrEqual(written);
      expect(states).toEqual(['delivered']);
      expect(endpoint.accepted).toEqual(new Set(causes));
      expect([...endpoint.idsOf.values()].filter(({ size }) => size !== 1)).toEqual([]);
    } finally {
      await endpoint.stop();
      folder.remove();
    }
  },
  60_000 + ROUNDS * 5_000,
);
