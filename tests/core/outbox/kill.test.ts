import { expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { bundleProgram, type Program } from '../../helpers/bundle.ts';
import { killRounds } from '../../helpers/kill-rounds.ts';

const ROUNDS = 8;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12);

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

test('kill -9 at any point loses no event and repeats one call for each kill at most', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  try {
    const follower = await bundleProgram(
      join(import.meta.dir, 'follower.scenario.ts'),
      join(folder, 'program'),
    );
    const program = (round: number, task: 'work' | 'drain'): Program =>
      follower([folder, String(NOW + round * DAY_MS), task]);
    const written = await killRounds({
      program: (round) => program(round, 'work'),
      rounds: ROUNDS,
      maxLines: 30,
    });
    expect(await Bun.spawn(program(ROUNDS, 'drain')).exited).toBe(0);
    const db = new Libsql(join(folder, 'test.db'));
    const causes = (db.prepare('SELECT id FROM organizations').raw(true).all([]) as string[][]).flat();
    const [[left] = []] = db.prepare('SELECT count(*) FROM outbox').raw(true).all([]) as number[][];
    db.close();
    expect(causes.length).toBeGreaterThanOrEqual(written);
    expect(left).toBe(0);
    let repeated = 0;
    for (const name of ['first', 'second']) {
      const told = linesOf(join(folder, name));
      expect(new Set(told)).toEqual(new Set(causes));
      repeated += told.length - causes.length;
    }
    expect(repeated).toBeLessThanOrEqual(ROUNDS);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
