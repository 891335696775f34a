import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Evaluator } from '../../../src/core/evaluators/contract.ts';
import { isSampled } from '../../../src/core/events/index.ts';
import { heldContent } from '../../../src/core/online-rules/arrival/held-content.ts';
import { backfillJob } from '../../../src/core/online-rules/backfill/backfill-job.ts';
import type { BackfillEstimate, OnlineRule, RuleItem } from '../../../src/core/online-rules/contract.ts';
import { judgeJob } from '../../../src/core/online-rules/judge/judge-job.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import type { Score } from '../../../src/core/scores/contract.ts';
import { type Lab, openLab } from '../../features/experiments/world.ts';
import { TEST_NOW } from '../../helpers/app.ts';

let lab: Lab;
const running = new AbortController().signal;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());
beforeEach(() => {
  lab.provider.requests.length = 0;
  lab.provider.answer = () => ({ text: ['{"reason":"warm words","value":true}'] });
  lab.world.clock.set(TEST_NOW);
});

let made = 0;
const judge = (name: string): Promise<Evaluator> =>
  lab.send('POST', 'evaluators', {
    name,
    kind: 'judge',
    scoreName: name,
    config: {
      model: 'openai/gpt-4o',
      messages: [{ role: 'user', content: 'Kind? <output>{{output}}</output>' }],
    },
    output: { type: 'boolean' },
  });
const rule = async (evaluatorId: string, more: object = {}): Promise<OnlineRule> =>
  lab.send('POST', 'online-rules', { name: `rule ${++made}`, evaluatorId, delaySeconds: 60, ...more });
const read = (id: string): Promise<OnlineRule> => lab.send('GET', `online-rules/${id}`);
const items = async (id: string, state: string): Promise<RuleItem[]> =>
  (await lab.send<{ items: RuleItem[] }>('GET', `online-rules/${id}/items?state=${state}`)).items;
const scoresOf = async (name: string): Promise<Score[]> =>
  (await lab.send<{ scores: Score[] }>('GET', `scores?name=${name}&limit=200`)).scores;
const storePrompts = (isOn: boolean): Promise<unknown> =>
  lab.send('PUT', `projects/${lab.world.seed.projectId}/sdk-config`, { storePrompts: isOn });

type Sent = {
  readonly trace: string;
  readonly span?: string;
  readonly parent?: string;
  readonly [field: string]: unknown;
};
async function ingest(list: readonly Sent[]): Promise<void> {
  const events = list.map(({ trace, span = 'root', parent, ...rest }) => ({
    trace_id: trace,
    span_id: span,
    ...(parent !== undefined && { parent_span_id: parent }),
    provider: 'openai',
    model: 'gpt-4o-mini',
    latency_ms: 100,
    input: 'Hello?',
    output: `Hi, dear ${trace}`,
    timestamp: new Date(lab.world.clock.now()).toISOString(),
    ...rest,
  }));
  expect((await lab.world.fetch('/v1/ingest', { apiKey: lab.world.seed.apiKey, events })).status).toBe(202);
}
const run = async (afterMs = 61_000): Promise<void> => {
  lab.world.clock.advance(afterMs);
  await judgeJob.run(lab.world.ctx, running);
};
const end = (id: string): Promise<unknown> => lab.send('DELETE', `online-rules/${id}`);

test('sampled traces are judged once, when they are quiet, with the score, its version and its cost', async () => {
  await storePrompts(true);
  const { id: evaluatorId } = await judge('kind');
  const { id } = await rule(evaluatorId, { sampleRate: 0.5, filter: 'environment:production -agent:bot' });
  const traces = Array.from({ length: 40 }, (_, i) => `t-${i}`);
  await ingest(traces.map((trace) => ({ trace })));
  await ingest([
    { trace: 't-1', environment: 'staging' },
    { trace: 'b-1', agent: 'bot' },
  ]);
  const sampled = traces.filter((trace) => isSampled(trace, 0.5));
  expect(sampled.length).toBeWithin(8, 32);
  await run(30_000);
  expect((await read(id)).month.scored).toBe(0);
  // A late span puts its trace off; one that was stored before changes nothing.
  const [late = '', ...rest] = sampled;
  await ingest([{ trace: late, span: 'more', parent: 'root' }]);
  await run(31_000);
  const first = await read(id);
  expect([first.month.scored, first.waiting]).toEqual([rest.length, 1]);
  await run(31_000);
  await ingest([{ trace: sampled[1] ?? '', span: 'after', parent: 'root' }]);
  await run();
  const found = await read(id);
  const { scored, failed, skipped, costUsd } = found.month;
  expect([scored, failed, skipped, found.waiting, found.state]).toEqual([sampled.length, 0, 0, 0, 'running']);
  expect(lab.provider.requests.length).toBe(sampled.length);
  const scores = await scoresOf('kind');
  expect(scores.map(({ traceId }) => traceId).toSorted()).toEqual(sampled.toSorted());
  expect(scores[0]).toMatchObject({
    value: true,
    source: 'evaluator',
    comment: 'warm words',
    evaluatorId,
    evaluatorVersion: 1,
  });
  expect(costUsd).toBeGreaterThan(0);
  const { total } = await lab.send<{ total: { values: { cost: number; requests: number } } }>(
    'POST',
    'metrics/query',
    {
      measures: ['cost', 'requests'],
      filter: 'environment:spanledger',
      start: new Date(TEST_NOW - 1_000).toISOString(),
      end: new Date(TEST_NOW + 3_600_000).toISOString(),
    },
  );
  expect(total.values.requests).toBe(sampled.length);
  expect(total.values.cost).toBeCloseTo(costUsd, 9);
  await end(id);
  expect((await scoresOf('kind')).length).toBe(sampled.length);
});

test('judgements without a known price are counted beside the cost, never as free', async () => {
  const { id: evaluatorId } = await lab.send<{ id: string }>('POST', 'evaluators', {
    ...{ name: 'of an own model', kind: 'judge', scoreName: 'own', output: { type: 'boolean' } },
    config: { model: 'local/llama-own', messages: [{ role: 'user', content: 'Kind? {{output}}' }] },
  });
  const { id } = await rule(evaluatorId);
  await ingest(['u-1', 'u-2'].map((trace) => ({ trace })));
  await run();
  expect((await read(id)).month).toMatchObject({ scored: 2, costUsd: 0, unpriced: 2 });
  expect((await items(id, 'scored')).map(({ costUsd }) => costUsd)).toEqual([null, null]);
  await end(id);
});

test('a monthly cap stops a rule before it is exceeded, and a higher one lets it go on', async () => {
  const { id: evaluatorId } = await judge('capped');
  const free = await rule(evaluatorId);
  await ingest([{ trace: 'price' }]);
  await run();
  const { costUsd } = (await read(free.id)).month;
  await end(free.id);
  const monthlyUsd = costUsd * 3 + 0.2;
  const { id } = await rule(evaluatorId, { monthlyUsd });
  await ingest(Array.from({ length: 100 }, (_, i) => ({ trace: `c-${i}` })));
  await run();
  const capped = await read(id);
  expect([capped.state, capped.stateReason, capped.heldUntil]).toEqual([
    'capped',
    expect.stringMatching(/^The monthly cap of \$\d.* has no room for another judgement/),
    '2026-07-01T00:00:00.000Z',
  ]);
  expect(capped.month.costUsd).toBeLessThanOrEqual(monthlyUsd);
  expect(capped.waiting).toBe(100 - capped.month.scored);
  expect(capped.waiting).toBeGreaterThan(0);
  const before = lab.provider.requests.length;
  await run();
  expect(lab.provider.requests.length).toBe(before);
  const { name } = capped;
  await lab.send('PUT', `online-rules/${id}`, { name, evaluatorId, delaySeconds: 60, monthlyUsd: 100 });
  await run();
  expect(await read(id)).toMatchObject({ state: 'running', waiting: 0, month: { scored: 100 } });
  await end(id);
});

test('content of a project that stores none is judged in memory, and nothing of it is kept', async () => {
  await storePrompts(false);
  const { id: evaluatorId } = await judge('unseen');
  const { id, content } = await rule(evaluatorId, { judgesUnstored: true });
  const blind = await rule(evaluatorId, { name: 'without content' });
  expect([content, blind.content]).toEqual(['memory', 'none']);
  lab.provider.answer = () => ({ text: ['{"reason":"it says SENTINEL-7f","value":false}'] });
  await ingest([{ trace: 'm-1', output: 'SENTINEL-7f is a secret', prompt: 'SENTINEL-7f' }]);
  await run();
  expect((await read(id)).month).toMatchObject({ scored: 1, skipped: 0 });
  expect(lab.provider.requests.length).toBe(1);
  expect(
    heldContent(lab.world.ctx, (await findProject(lab.world.ctx, lab.world.seed.projectId)).no, 'm-1'),
  ).toBeNull();
  expect(JSON.stringify(lab.provider.requests[0]?.body)).toContain('SENTINEL-7f');
  const [score] = await scoresOf('unseen');
  expect([score?.value, score?.comment]).toEqual([false, null]);
  const tables = await lab.world.ctx.db.sql.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  );
  for (const { name } of tables) {
    const rows = await lab.world.ctx.db.sql.all(`SELECT * FROM "${name}"`);
    expect([name, Buffer.from(JSON.stringify(rows)).includes('SENTINEL')]).toEqual([name, false]);
  }
  await end(id);
  // Without it nothing is held, and the judge is not asked.
  await ingest([{ trace: 'm-2', output: 'SENTINEL-8f' }]);
  await run();
  expect(await items(blind.id, 'skipped')).toMatchObject([
    { traceId: 'm-2', reason: 'there is no output' },
    { traceId: 'm-1' },
  ]);
  await end(blind.id);
});

test('a back-fill says what it costs, judges stored traces once, and again for a newer version', async () => {
  await storePrompts(true);
  await ingest(Array.from({ length: 30 }, (_, i) => ({ trace: `f-${i}`, agent: 'fill' })));
  const evaluator = await judge('filled');
  const { id } = await rule(evaluator.id, { sampleRate: 0.5, filter: 'agent:fill' });
  const window = {
    start: new Date(TEST_NOW - 60_000).toISOString(),
    end: new Date(TEST_NOW + 1_000).toISOString(),
  };
  const fill = (more: object = {}): Promise<BackfillEstimate> =>
    lab.send('POST', `online-rules/${id}/backfill`, { ...window, ...more });
  const estimate = await fill({ dryRun: true });
  expect(estimate).toMatchObject({ isComplete: true, started: false });
  expect(estimate.matching).toBeGreaterThan(5);
  expect(estimate.expectedUsd).toBeGreaterThan(0);
  expect(estimate.maxUsd).toBeGreaterThan(estimate.expectedUsd ?? 0);
  expect((await read(id)).waiting).toBe(0);
  expect((await fill()).started).toBe(true);
  await backfillJob.run(lab.world.ctx, running);
  expect((await read(id)).backfill).toMatchObject({ state: 'done' });
  await run();
  expect((await read(id)).month.scored).toBe(estimate.matching);
  expect((await fill({ dryRun: true })).matching).toBe(0);
  await lab.send('PUT', `evaluators/${evaluator.id}`, {
    name: 'filled',
    kind: 'regex',
    scoreName: 'filled',
    config: { pattern: 'dear' },
  });
  expect((await fill({ dryRun: true })).matching).toBe(0);
  expect(await fill({ rejudge: true })).toMatchObject({ matching: estimate.matching, expectedUsd: 0 });
  await backfillJob.run(lab.world.ctx, running);
  await run();
  const scores = await scoresOf('filled');
  expect(scores.length).toBe(estimate.matching);
  expect(new Set(scores.map(({ evaluatorVersion }) => evaluatorVersion))).toEqual(new Set([2]));
  await end(id);
});

test('a crash between the answer of a judge and its score repeats no call', async () => {
  const { id: evaluatorId } = await judge('crashed');
  const { id, name } = await rule(evaluatorId);
  await ingest(Array.from({ length: 12 }, (_, i) => ({ trace: `k-${i}` })));
  lab.world.clock.advance(61_000);
  const { ctx } = lab.world;
  const crashed: string[] = [];
  // Scores and states are written by a batch of statements; events and kept answers by another way.
  const sql = new Proxy(ctx.db.sql, {
    get: (target, key) =>
      key === 'batch'
        ? () => {
            crashed.push('batch');
            return Promise.reject(new Error('crashed'));
          }
        : Reflect.get(target, key, target),
  });
  const broken = { ...ctx, db: { ...ctx.db, sql }, log: { ...ctx.log, error: () => {} } } as typeof ctx;
  await judgeJob.run(broken, running);
  expect(crashed.length).toBeGreaterThan(0);
  const paid = lab.provider.requests.length;
  expect(paid).toBeGreaterThan(0);
  expect(await read(id)).toMatchObject({ state: 'held', waiting: 12, month: { scored: 0, costUsd: 0 } });
  await lab.send('PUT', `online-rules/${id}`, { name, evaluatorId, delaySeconds: 60 });
  await judgeJob.run(ctx, running);
  expect(await read(id)).toMatchObject({ state: 'running', waiting: 0, month: { scored: 12 } });
  expect(lab.provider.requests.length).toBe(12);
  await end(id);
});

test('a judge that fails is asked again later, and then its failure is shown', async () => {
  const { id: evaluatorId } = await judge('failing');
  const { id } = await rule(evaluatorId);
  await ingest([{ trace: 'x-1' }, { trace: 'x-2' }]);
  lab.provider.answer = ({ body }) =>
    JSON.stringify(body).includes('x-1')
      ? { text: ['no JSON, "value": true'] }
      : { text: ['{"reason":"","value":"yes"}'] };
  await run();
  expect(await items(id, 'waiting')).toMatchObject([{ tries: 1 }, { tries: 1 }]);
  await run(121_000);
  await run(1_201_000);
  const failed = await items(id, 'failed');
  expect(failed).toHaveLength(2);
  for (const { reason, costUsd } of failed) {
    expect(reason).toMatch(/did not answer in the form/);
    expect(costUsd).toBeGreaterThan(0);
  }
  expect((await read(id)).month).toMatchObject({ scored: 0, failed: 2 });
  await end(id);
});

test('what a rule cannot do is refused with what to do', async () => {
  const { id: evaluatorId } = await judge('refused');
  const exact = await lab.send<Evaluator>('POST', 'evaluators', {
    name: 'exact',
    kind: 'exact',
    scoreName: 'exact',
    config: {},
  });
  const base = { name: 'r', evaluatorId };
  const cases: [object, number, RegExp][] = [
    [{ ...base, sampleRate: 0 }, 400, /sampleRate/],
    [{ ...base, filter: 'tokens>5' }, 400, /a rule cannot filter traces by tokens; use model/],
    [{ ...base, filter: 'nope:1' }, 400, /there is no field "nope"/],
    [{ ...base, evaluatorId: 'evl_none' }, 404, /There is no evaluator evl_none/],
    [{ ...base, evaluatorId: exact.id }, 400, /compares with an expected output, which traces do not have/],
  ];
  for (const [body, status, message] of cases)
    expect(await lab.refused('POST', 'online-rules', body)).toEqual([status, expect.stringMatching(message)]);
  const { id } = await rule(evaluatorId, { name: 'taken', enabled: false });
  expect(await lab.refused('POST', 'online-rules', { ...base, name: 'taken' })).toEqual([
    409,
    'There is an online rule named taken; choose another name',
  ]);
  const window = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
  expect(await lab.refused('POST', `online-rules/${id}/backfill`, window)).toEqual([
    400,
    'The rule is off; turn it on first',
  ]);
  await lab.send('POST', 'score-definitions', { name: 'wordy', type: 'category' });
  const wordy = await lab.send<Evaluator>('POST', 'evaluators', {
    name: 'wordy',
    kind: 'regex',
    scoreName: 'wordy',
    config: { pattern: 'a' },
  });
  expect(await lab.refused('POST', 'online-rules', { name: 'w', evaluatorId: wordy.id })).toEqual([
    409,
    expect.stringMatching(/The score wordy is of type category, but the evaluator gives boolean/),
  ]);
  await end(id);
});
