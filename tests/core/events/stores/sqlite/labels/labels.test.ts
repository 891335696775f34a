import { afterAll, expect, test } from 'bun:test';
import { spanEventId } from '../../../../../../src/core/events/index.ts';
import type {
  LabelGroup,
  LabelSums,
} from '../../../../../../src/core/events/stores/sqlite/labels/label-group.ts';
import { MAX_TAG_VALUES } from '../../../../../../src/core/events/stores/sqlite/labels/labels.ts';
import { queryLabels } from '../../../../../../src/core/events/stores/sqlite/labels/query-labels.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { queryTotals } from '../../../../../../src/core/events/stores/sqlite/queries/query-metrics.ts';
import { DAY_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { randomBelow } from '../../../../../helpers/random.ts';
import { openLedger } from '../../../ledger.ts';

const ledger = await openLedger(4);
afterAll(() => ledger.close());

const random = randomBelow();

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

/** Over random windows the groups of a key and of a tag add up to all calls, to the nano-dollar. */
function addUp(project: number): void {
  const reader = ledger.reader(project);
  for (let i = 0; i < 60; i++) {
    const from = NOON - random(6 * DAY_MS);
    const window = { from, to: from + random(i % 2 === 0 ? 6 * DAY_MS : 5_000_000) };
    const total = queryTotals(reader, { measures: ['cost', 'requests', 'unpriced', 'inputTokens'], window });
    for (const dimension of ['keyId', 'tag:team'] as const) {
      const groups = queryLabels(reader, window, dimension);
      const sum = (of: keyof LabelSums): number => groups.reduce((all, { sums }) => all + sums[of], 0);
      expect([sum('cost_nano') / 1e9, sum('requests'), sum('unpriced'), sum('input_tokens')]).toEqual([
        total.cost,
        total.requests,
        total.unpriced,
        total.inputTokens,
      ]);
      const days = groups.flatMap(({ costs }) => [...costs]);
      expect(days.reduce((all, cost) => all + cost, 0)).toBe(sum('cost_nano'));
    }
  }
}

test('sums of any window are those of all calls, however it is split', () => addUp(1));

const packed = (project: number): { rows: number; packs: number } => {
  const count = (sql: string): number => Number(ledger.reader(project).rows(sql)[0]?.[0]);
  return {
    rows: count('SELECT (SELECT count(*) FROM rollup_labels) + (SELECT count(*) FROM rollup_label_hours)'),
    packs: count('SELECT count(*) FROM label_packs'),
  };
};

test('finished hours and days are packed, and late and subtracted events count with them', async () => {
  const call = (more: object) =>
    makeEvent({
      ts: NOON - random(5 * DAY_MS),
      tags: { team: `team-${random(6)}` },
      cost_nano: random(1e9),
      ...more,
    });
  const span = (id: string, parent: string | null): object => ({
    event_id: spanEventId('a'.repeat(32), id),
    trace_id: 'a'.repeat(32),
    span_id: id,
    parent_span_id: parent,
  });
  const [child, caller] = ['b'.repeat(16), 'c'.repeat(16)];
  const buckets = { fresh: 7, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 };
  const inner = call({ ts: NOON - 2 * DAY_MS, tags: { team: 'alone' }, ...span(child, caller), buckets });
  await ledger.record(3, [inner], { spans: true });
  for (let round = 0; round < 3; round++) {
    await ledger.record(
      3,
      Array.from({ length: 300 }, () => call({})),
    );
    const before = queryLabels(ledger.reader(3), WEEK, 'tag:team');
    await ledger.packLabels(3, NOON + 2 * DAY_MS);
    expect(packed(3).rows).toBe(0);
    expect(packed(3).packs).toBeGreaterThan(60);
    expect(byValue(queryLabels(ledger.reader(3), WEEK, 'tag:team'))).toEqual(byValue(before));
    addUp(3);
  }
  const teams = (): (string | null)[] =>
    queryLabels(ledger.reader(3), WEEK, 'tag:team').map(({ value }) => value);
  expect(teams()).toContain('alone');
  // Its caller stands for the packed call, which no longer counts.
  await ledger.record(3, [call({ ...span(caller, null), buckets })], { spans: true });
  expect(packed(3).rows).toBeGreaterThan(0);
  expect(teams()).not.toContain('alone');
  addUp(3);
  await ledger.packLabels(3, NOON + 2 * DAY_MS);
  expect(teams()).not.toContain('alone');
  addUp(3);
  const reader = ledger.reader(3);
  for (const { value, sums } of queryLabels(reader, WEEK, 'tag:team')) {
    const filters = { tag: `team=${value}` };
    const page = listEvents(reader, { filters, calls: true, window: WEEK, cursor: null, limit: 200 });
    expect([page.total, page.events.length]).toEqual([sums.requests, Math.min(200, sums.requests)]);
  }
});

test('an hour or day is not packed until an hour after its end', async () => {
  await ledger.record(4, [makeEvent({ ts: NOON - 1, tags: { team: 'red' } })]);
  await ledger.packLabels(4, NOON + 3_599_999);
  expect(packed(4)).toEqual({ rows: 2, packs: 0 });
  await ledger.packLabels(4, NOON + 3_600_000);
  expect(packed(4)).toEqual({ rows: 1, packs: 1 });
});

const WEEK = { from: NOON - 6 * DAY_MS, to: NOON + DAY_MS };
const byValue = (groups: readonly LabelGroup[]): Map<string | null, LabelGroup> =>
  new Map(groups.map((group) => [group.value, group]));

test('values of a tag beyond the limit are merged, and other tags and tenants keep theirs', async () => {
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
