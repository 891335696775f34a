import { afterAll, expect, test } from 'bun:test';
import { queryTotals } from '../../../src/core/events/index.ts';
import { MAX_TAG_VALUES } from '../../../src/core/events/labels.ts';
import { type LabelSums, queryLabels } from '../../../src/core/events/query-labels.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { makeEvent, NOON, openLedger } from './ledger.ts';

const ledger = await openLedger(2);
afterAll(() => ledger.close());

const random = (max: number): number => Math.floor(Math.random() * max);

test('the sums of days and labels equal a recount, and add up to those of the days', async () => {
  const sent = Array.from({ length: 2_000 }, (_, i) =>
    makeEvent({
      ts: NOON - random(5 * DAY_MS),
      kind: i % 10 === 0 ? 'tool' : 'llm',
      status: i % 7 === 0 ? 'error' : 'success',
      tags: i % 5 === 0 ? null : { team: `team-${random(4)}`, plan: random(2) },
      buckets: { fresh: random(99), cacheRead: 1, cacheWrite5m: 2, cacheWrite1h: 3, output: 4, reasoning: 5 },
      cost_nano: i % 10 === 0 || i % 11 === 0 ? null : random(1e9),
      cost_status: i % 10 === 0 ? null : i % 11 === 0 ? 'unpriced' : 'priced',
    }),
  );
  for (let i = 0; i < sent.length; i += 100) {
    await ledger.record(1, sent.slice(i, i + 100), { keyId: i % 300 === 0 ? 'key_a' : null });
  }
  const stored = ledger.reader(1).rows(
    `SELECT day, (SELECT json FROM event_labels WHERE id = label), requests, errors, cost_nano, unpriced,
       input_tokens, cache_read_tokens, output_tokens FROM rollup_labels`,
  );
  const wanted = new Map<string, number[]>();
  for (const [i, event] of sent.entries()) {
    if (!event.is_call) continue;
    const key = Math.floor(i / 100) % 3 === 0 ? 'key_a' : null;
    const id = `${Math.floor(event.ts / DAY_MS)} ${JSON.stringify([key, event.tags])}`;
    const failed = event.status === 'error' ? 1 : 0;
    const unpriced = event.cost_status === 'unpriced' ? 1 : 0;
    const added = [1, failed, event.cost_nano ?? 0, unpriced, event.buckets.fresh + 6, 1, 9];
    wanted.set(
      id,
      added.map((value, n) => value + (wanted.get(id)?.[n] ?? 0)),
    );
  }
  expect(new Map(stored.map(([day, label, ...sums]) => [`${day} ${label}`, sums.map(Number)]))).toEqual(
    wanted,
  );
});

test('sums of any window are those of all calls, to the nano-dollar, however it is split', () => {
  const reader = ledger.reader(1);
  for (let i = 0; i < 60; i++) {
    const from = NOON - random(6 * DAY_MS);
    const window = { from, to: from + random(i % 2 === 0 ? 6 * DAY_MS : 5_000_000) };
    const total = queryTotals(reader, { measures: ['cost', 'requests', 'unpriced', 'inputTokens'], window });
    for (const dimension of [{ of: 'key' }, { of: 'tag', tag: 'team' }] as const) {
      const groups = queryLabels(reader, window, dimension);
      const sum = (of: keyof LabelSums): number => groups.reduce((all, { sums }) => all + sums[of], 0);
      expect([sum('cost_nano') / 1e9, sum('requests'), sum('unpriced'), sum('input_tokens')]).toEqual([
        total.cost,
        total.requests,
        total.unpriced,
        total.inputTokens,
      ]);
      const days = groups.flatMap(({ costByDay }) => [...costByDay.values()]);
      expect(days.reduce((all, cost) => all + cost, 0)).toBe(sum('cost_nano'));
    }
  }
});

test('values of a tag beyond the limit are told as one, and other tags and tenants keep theirs', async () => {
  const events = Array.from({ length: MAX_TAG_VALUES + 50 }, (_, i) =>
    makeEvent({ ts: NOON + i, tags: { request: `r${i}`, team: `t${i % 3}` } }),
  );
  await ledger.record(2, events);
  const groups = ledger.reader(2).rows(
    `SELECT json_extract(json, '$[1].request'), json_extract(json, '$[1].team'), sum(requests)
     FROM rollup_labels JOIN event_labels ON id = label GROUP BY 1, 2`,
  );
  const others = groups.filter(([request]) => request === '…');
  expect(groups.length - others.length).toBe(MAX_TAG_VALUES);
  expect(others.map(([, team]) => team).sort()).toEqual(['t0', 't1', 't2']);
  expect(groups.reduce((sum, [, , requests]) => sum + Number(requests), 0)).toBe(events.length);
});
