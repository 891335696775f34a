import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { eventsModule } from '../../../../../../src/core/events/index.ts';
import { OTHER } from '../../../../../../src/core/events/metrics.ts';
import type { Window } from '../../../../../../src/core/events/selection.ts';
import { ofProject, type ProjectScope } from '../../../../../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../../../../../src/lib/time.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { makeSpan } from '../../../../../event-store/support/make-forest.ts';
import { ALL } from '../../../../../event-store/support/read-all.ts';
import { sum } from '../../../../../event-store/support/recount.ts';
import { inBatches } from '../../../../../event-store/support/send.ts';
import { randomBelow } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

const MAX_TAG_VALUES = 1_000;
const WEEK = { from: NOON - 6 * DAY_MS, to: NOON + DAY_MS };
const MEASURES = ['cost', 'requests', 'unpriced', 'inputTokens'] as const;

const random = randomBelow();
let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

/** Packs the sums of what is over at an instant. */
async function packLabels(now: number): Promise<void> {
  log.clock.set(now);
  const job = eventsModule.jobs?.find(({ name }) => name === 'events.pack_labels');
  await job?.run(log.ctx, new AbortController().signal);
}

const packed = (project: ProjectScope): { rows: number; packs: number } => {
  const count = (table: string): number =>
    Number(log.reader(project).rows(`SELECT count(*) FROM ${table}`)[0]?.[0]);
  return { rows: count('rollup_labels') + count('rollup_label_hours'), packs: count('label_packs') };
};

/** Calls of teams, some without tags, over five days. */
const calls = (count: number, more: Partial<PricedEvent> = {}): PricedEvent[] =>
  Array.from({ length: count }, (_, i) =>
    makeEvent({
      ts: NOON - random(5 * DAY_MS),
      kind: i % 10 === 0 ? 'tool' : 'llm',
      is_call: i % 10 !== 0,
      status: i % 7 === 0 ? 'error' : 'success',
      tags: i % 5 === 0 ? null : { team: `team-${random(6)}`, plan: random(2) },
      buckets: { fresh: random(99), cacheRead: 1, cacheWrite5m: 2, cacheWrite1h: 3, output: 4, reasoning: 5 },
      cost_nano: i % 10 === 0 || i % 11 === 0 ? null : random(1e9),
      cost_status: i % 10 === 0 ? null : i % 11 === 0 ? 'unpriced' : 'priced',
      ...more,
    }),
  );

const nano = (usd: number): number => Math.round(usd * 1e9);

/** Over random windows the groups of a key and of a tag add up to all calls, to the nano-dollar. */
async function addUp(project: ProjectScope): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const from = NOON - random(6 * DAY_MS);
    const window = { from, to: from + random(i % 2 === 0 ? 6 * DAY_MS : 5_000_000) };
    const of = { measures: MEASURES, window, costsBy: 'day' } as const;
    const { all, keys, teams } = await log.store.metrics(ofProject(project), {
      all: { measures: MEASURES, window },
      keys: { ...of, groupBy: ['keyId'] },
      teams: { ...of, groupBy: ['tag:team'] },
    });
    const [total] = all;
    for (const rows of [keys, teams]) {
      expect(sum(rows.map(({ cost }) => nano(cost)))).toBe(nano(total?.cost ?? 0));
      expect(sum(rows.flatMap(({ costs }) => costs.map(nano)))).toBe(nano(total?.cost ?? 0));
      for (const name of ['requests', 'unpriced', 'inputTokens'] as const)
        expect(sum(rows.map((row) => row[name]))).toBe(total?.[name] ?? Number.NaN);
    }
  }
}

const teamsIn = async (project: ProjectScope, window: Window) => {
  const query = { measures: MEASURES, window, groupBy: ['tag:team'], costsBy: 'day' } as const;
  const { rows } = await log.store.metrics(ofProject(project), { rows: query });
  return rows.toSorted((a, b) => (String(a['tag:team']) < String(b['tag:team']) ? -1 : 1));
};
const namesOf = async (project: ProjectScope): Promise<unknown[]> =>
  (await teamsIn(project, WEEK)).map((row) => row['tag:team']);

test('sums by key and tag of any window add up to those of all calls, sealed or not', async () => {
  const project = await log.newProject();
  for (const [i, batch] of inBatches(calls(2_000), 100).entries()) {
    await log.record(project, batch, { keyId: i % 3 === 0 ? 'key_a' : null });
    if (i === 12) await log.seal(project);
  }
  await addUp(project);
});

test('finished hours and days are packed, and late and subtracted events count with them', async () => {
  const project = await log.newProject();
  const trace = 'a'.repeat(32);
  const [child, caller] = ['b'.repeat(16), 'c'.repeat(16)];
  const usage = { input_tokens: 7, buckets: { ...makeEvent().buckets, fresh: 7 } };
  const at = { ...usage, ts: NOON - 2 * DAY_MS };
  const inner = makeSpan(trace, child, { ...at, parent_span_id: caller, tags: { team: 'alone' } });
  await log.record(project, [inner], { spans: true });
  for (let round = 0; round < 3; round++) {
    await log.record(project, calls(300));
    const before = await teamsIn(project, WEEK);
    await log.seal(project);
    expect(await teamsIn(project, WEEK)).toEqual(before);
    await packLabels(NOON + 2 * DAY_MS);
    expect(packed(project).rows).toBe(0);
    expect(packed(project).packs).toBeGreaterThan(60);
    expect(await teamsIn(project, WEEK)).toEqual(before);
    await addUp(project);
  }
  expect(await namesOf(project)).toContain('alone');
  // Its caller stands for the packed call, which no longer counts.
  await log.record(project, [makeSpan(trace, caller, { ...at, tags: { team: 'team-1' } })], { spans: true });
  expect(packed(project).rows).toBeGreaterThan(0);
  expect(await namesOf(project)).not.toContain('alone');
  await addUp(project);
  await log.seal(project);
  await packLabels(NOON + 2 * DAY_MS);
  expect(packed(project).rows).toBe(0);
  expect(await namesOf(project)).not.toContain('alone');
  await addUp(project);
  for (const { 'tag:team': team, requests } of await teamsIn(project, WEEK)) {
    if (team === null) continue;
    const query = { filters: { tag: `team=${team}` }, calls: true, window: WEEK, cursor: null, limit: 200 };
    const page = (await log.store.events(ofProject(project), query)).parse();
    expect([page.total, page.events.length]).toEqual([requests, Math.min(200, requests)]);
  }
});

test('an hour or day is not packed until an hour after its end', async () => {
  const project = await log.newProject();
  await log.record(project, [makeEvent({ ts: NOON - 1, tags: { team: 'red' } })]);
  await log.seal(project);
  await packLabels(NOON + HOUR_MS - 1);
  expect(packed(project)).toEqual({ rows: 2, packs: 0 });
  await packLabels(NOON + HOUR_MS);
  expect(packed(project)).toEqual({ rows: 1, packs: 1 });
});

test('a tag keeps as many values as the limit, and the calls of others are merged by their other tags', async () => {
  const [project, other] = [await log.newProject(), await log.newProject()];
  const count = MAX_TAG_VALUES + 50;
  const own = Array.from({ length: count }, (_, i) =>
    makeEvent({ ts: NOON + i, tags: { request: `r${i}`, team: `t${i % 3}` } }),
  );
  await log.record(project, own);
  await log.record(other, [makeEvent({ tags: { request: 'another' } })]);
  for (const isSealed of [false, true]) {
    if (isSealed) await log.seal(project);
    const query = { measures: ['requests'], window: ALL } as const;
    const { requests, teams } = await log.store.metrics(ofProject(project), {
      requests: { ...query, groupBy: ['tag:request'] },
      teams: { ...query, groupBy: ['tag:team'] },
    });
    const merged = requests.filter((row) => row['tag:request'] === OTHER);
    expect(merged.map((row) => row.requests)).toEqual([50]);
    expect(requests.length - merged.length).toBe(MAX_TAG_VALUES);
    expect(teams.map((row) => row.requests)).toEqual([350, 350, 350]);
    const found = await log.store.metrics(ofProject(other), { all: { ...query, groupBy: ['tag:request'] } });
    expect(found.all.map((row) => row['tag:request'])).toEqual(['another']);
  }
});
