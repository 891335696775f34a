import { expect, test } from 'bun:test';
import { packLabelsJob } from '../../src/core/events/stores/sqlite/labels/label-packs.ts';
import { sealerService } from '../../src/core/events/stores/sqlite/seal/sealer.ts';
import { openTestApp } from './app.ts';
import { createRandom } from './random.ts';
import { queryFile, storageFaults, storedEvents } from './stored-events.ts';
import { sumFaults } from './stored-sums.ts';

test('faults of stored events and of their sums are found', async () => {
  const world = await openTestApp({ events: 'file' });
  const next = createRandom(7);
  const random = (max: number): number => Math.floor(next() * max);
  const events = Array.from({ length: 140 }, (_, i) => ({
    event_id: crypto.randomUUID(),
    timestamp: new Date(world.clock.now() - random(200) * 3_600_000).toISOString(),
    provider: i % 9 === 0 ? 'acme' : 'openai',
    model: 'gpt-4o',
    status: i % 7 === 0 ? 'error' : 'success',
    user_id: `user-${i % 5}`,
    tags: { team: `t${i % 3}` },
    input_tokens: random(900),
    output_tokens: random(3) * 50,
    latency_ms: 10 + random(9_000) / 7,
    stream: i % 2 === 0,
    ttft_ms: 0.5 + (i % 10),
  }));
  const send = async (some: object[]): Promise<void> => {
    const reply = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: some });
    expect(reply.status).toBe(202);
  };
  const { path, sql } = world.ctx.db;
  await send(events.slice(0, 100));
  await world.ctx.use(sealerService).sealAll(1);
  await send(events.slice(50));
  expect(
    storedEvents(path)
      .map(({ event }) => event.event_id)
      .sort(),
  ).toEqual(events.map(({ event_id }) => event_id).sort());
  expect(storedEvents(path).filter(({ segment }) => segment !== null).length).toBe(100);
  expect([storageFaults(path), sumFaults(path)]).toEqual([[], []]);
  await world.ctx.use(sealerService).sealAll(1);
  expect(storedEvents(path).filter(({ segment }) => segment === null)).toEqual([]);
  await packLabelsJob.run(world.ctx, new AbortController().signal);
  expect(queryFile(path, 'SELECT count(*) FROM label_packs')).not.toEqual([[0]]);
  expect([storageFaults(path), sumFaults(path)]).toEqual([[], []]);

  for (const change of [
    'UPDATE rollup_hours SET cost_nano = cost_nano + 1 WHERE hour = (SELECT max(hour) FROM rollup_hours)',
    'UPDATE rollup_days SET latency_us = latency_us + 1 WHERE day = (SELECT max(day) FROM rollup_days)',
    'DELETE FROM label_packs WHERE time = (SELECT max(time) FROM label_packs WHERE hours = 24)',
    'DELETE FROM user_days WHERE span = 8',
  ]) {
    const before = sumFaults(path).length;
    await sql.run(change);
    expect(sumFaults(path).length).toBeGreaterThan(before);
  }
  await sql.run('UPDATE event_segments SET first_ts = first_ts + 1 WHERE no = 1');
  await sql.run('DELETE FROM event_segments WHERE no = 2');
  expect(storageFaults(path).length).toBeGreaterThan(1);
  await world.close();
});
