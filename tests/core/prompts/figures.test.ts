import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { diffLines } from '../../../src/core/prompts/compare/diff-lines.ts';
import type { PromptsPage } from '../../../src/core/prompts/contract.ts';
import type { PromptFigures } from '../../../src/core/prompts/figures/contract.ts';
import { formatInstant, startDaysAgo } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker } from '../../helpers/people.ts';

const NAME = 'support/"triage"';
let world: TestApp;
let ask: (method: string, path: string, json?: unknown) => Promise<{ status: number; body: unknown }>;
beforeAll(async () => {
  world = await openTestApp();
  const asked = asker(world);
  ask = (method, path, json) =>
    asked(
      method,
      `/v1/${path}${path.includes('?') ? '&' : '?'}projectId=${world.seed.projectId}`,
      world.seed.bearer,
      json,
    );
  await ask('POST', 'prompts', {
    name: NAME,
    template: 'one\ntwo\nthree',
    config: { b: 1, a: 2 },
    labels: ['production'],
  });
  await ask('POST', `${at}/versions`, { template: 'one\n2\nthree\nfour', config: { a: 2, b: 1 } });
  world.clock.advance(60_000);
  await ask('PUT', `${at}/labels/production`, { version: 2 });
  await ask('DELETE', `${at}/labels/production`);
  const call = (n: number, prompt_version: string | undefined, prompt_name = NAME) => ({
    event_id: Bun.randomUUIDv7(),
    trace_id: traceOf(n),
    timestamp: formatInstant(world.clock.now() - n * 3_600_000),
    provider: 'openai',
    model: n % 5 === 0 ? 'no-such-model' : 'gpt-4o',
    input_tokens: 1_000 + n,
    cached_input_tokens: n,
    output_tokens: 10,
    latency_ms: 100 * n,
    status: n % 4 === 0 ? 'error' : 'success',
    environment: n % 2 === 0 ? 'production' : 'staging',
    prompt_name,
    prompt_version,
  });
  const events = Array.from({ length: 40 }, (_, n) =>
    call(n + 1, ['1', '2', '10', undefined, 'fallback'][n % 5], n % 7 === 6 ? 'other' : NAME),
  );
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  const scores = [1, 2, 3, 5, 6, 10, 11].flatMap((n) => [
    { name: 'helpful', value: n % 2 === 0, traceId: traceOf(n) },
    { name: 'quality', value: n / 10, traceId: traceOf(n) },
    { name: 'topic', value: 'billing', traceId: traceOf(n) },
  ]);
  expect(await ask('POST', 'scores', scores)).toMatchObject({ status: 201 });
});
afterAll(() => world.close());

const traceOf = (n: number): string => n.toString(16).padStart(32, 'a');
const at = `prompts/${encodeURIComponent(NAME)}`;

describe('figures by version', () => {
  test.each([{}, { environment: 'staging' }])('are those of a metrics query, %p', async (narrowed) => {
    const query = new URLSearchParams(narrowed as Record<string, string>);
    const { body } = await ask('GET', `${at}/figures?${query}`);
    const figures = body as PromptFigures;
    const environment = 'environment' in narrowed ? ` environment:${narrowed.environment}` : '';
    const reply = await ask('POST', 'metrics/query', {
      measures: [
        'requests',
        'cost',
        'costAvg',
        'unpriced',
        'latencyP50',
        'latencyP95',
        'errors',
        'errorRate',
        'cacheRate',
      ],
      groupBy: ['promptVersion'],
      filter: `prompt:"support/\\"triage\\""${environment}`,
      start: figures.start,
      end: figures.end,
      bucket: figures.bucket,
    });
    type Group = {
      key: { promptVersion: string | null };
      values: Record<string, number | null>;
      series: { requests: (number | null)[] };
    };
    const { groups } = reply.body as { groups: Group[] };
    expect(groups.length).toBe(5);
    const scored = await ask('POST', 'metrics/query', {
      measures: ['score:helpful', 'scoreCount:helpful', 'score:quality', 'scoreCount:quality'],
      groupBy: ['promptVersion'],
      filter: `prompt:"support/\\"triage\\""${environment}`,
      start: figures.start,
      end: figures.end,
    });
    const scoresOf = (version: string | null) => {
      const all = (scored.body as { groups: Group[] }).groups;
      const values = all.find(({ key }) => key.promptVersion === version)?.values;
      return (['helpful', 'quality'] as const).flatMap((name) => {
        const mean = values?.[`score:${name}`] ?? null;
        const type = name === 'helpful' ? 'boolean' : 'numeric';
        return mean === null ? [] : [{ name, type, mean, count: values?.[`scoreCount:${name}`] }];
      });
    };
    expect(figures.versions.flatMap(({ scores }) => scores).length).toBeGreaterThan(1);
    const expected = groups.map(({ key, values: v, series }) => ({
      version: key.promptVersion,
      calls: v.requests,
      cost: v.cost,
      costPerCall: v.costAvg,
      unpriced: v.unpriced,
      latencyP50: v.latencyP50,
      latencyP95: v.latencyP95,
      errors: v.errors,
      errorRate: v.errorRate,
      cacheRate: v.cacheRate,
      scores: scoresOf(key.promptVersion),
      series: series.requests.map((value) => value ?? 0),
    }));
    const found = figures.versions.map(({ previous, ...rest }) => rest);
    const byVersion = <T extends { version: string | null }>(list: T[]): T[] =>
      list.toSorted((a, b) => String(a.version).localeCompare(String(b.version)));
    expect(byVersion(found) as unknown[]).toEqual(byVersion(expected));
    expect(figures.versions.map(({ version, previous }) => [version, previous]).slice(0, 3)).toEqual([
      ['10', '2'],
      ['2', '1'],
      ['1', null],
    ]);
  });

  test('the list counts the calls without a price beside the cost', async () => {
    const { body } = await ask('GET', 'prompts?figureDays=30');
    const { prompts } = body as PromptsPage;
    expect(prompts.map(({ name }) => name)).toEqual([NAME]);
    const own = Array.from({ length: 40 }, (_, n) => n).filter((n) => n % 7 !== 6);
    const unpriced = own.filter((n) => (n + 1) % 5 === 0).length;
    expect(unpriced).toBeGreaterThan(0);
    expect(prompts[0]?.figures).toMatchObject({ calls: own.length, unpriced });
    expect(prompts[0]?.figures?.cost).toBeGreaterThan(0);
  });

  test('the last 30 days begin with a whole day, in the list as in the figures of versions', async () => {
    const first = startDaysAgo(world.clock.now(), 30);
    const event = (ms: number) => ({
      ...{ provider: 'openai', model: 'gpt-4o', input_tokens: 1, prompt_name: 'early', prompt_version: '1' },
      timestamp: formatInstant(ms),
    });
    const events = [event(first), event(first - 1)];
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
    await ask('POST', 'prompts', { name: 'early', template: 'one' });
    const { prompts } = (await ask('GET', 'prompts?figureDays=30&q=early')).body as PromptsPage;
    expect(prompts[0]?.figures?.calls).toBe(1);
    const { versions } = (await ask('GET', 'prompts/early/figures')).body as PromptFigures;
    expect(versions.map(({ calls }) => calls)).toEqual([1]);
    await ask('DELETE', 'prompts/early');
  });

  test('a prompt that is not there has none', async () => {
    expect((await ask('GET', 'prompts/none/figures')).status).toBe(404);
  });
});

test('the history has each change of a label, in pages', async () => {
  const { body } = await ask('GET', `${at}/history?limit=2`);
  const first = body as { changes: object[]; nextCursor: string };
  const one = [{ version: 1, weight: 1 }];
  const two = [{ version: 2, weight: 1 }];
  expect(first.changes).toMatchObject([
    { label: 'production', previous: two, versions: null },
    { label: 'production', previous: one, versions: two },
  ]);
  const next = await ask('GET', `${at}/history?cursor=${first.nextCursor}`);
  expect(next.body).toMatchObject({ changes: [{ previous: null, versions: one }], nextCursor: null });
});

describe('the difference of versions', () => {
  test('is line by line, and the order of keys in a config makes none', async () => {
    const { body } = await ask('GET', `${at}/diff?from=1&to=latest`);
    expect(body).toMatchObject({
      from: 1,
      to: 2,
      isSame: false,
      parts: [
        {
          name: 'template',
          lines: [
            { kind: 'same', text: 'one' },
            { kind: 'removed', text: 'two' },
            { kind: 'added', text: '2' },
            { kind: 'same', text: 'three' },
            { kind: 'added', text: 'four' },
          ],
        },
        { name: 'config', lines: [{ kind: 'same' }, { kind: 'same' }, { kind: 'same' }, { kind: 'same' }] },
      ],
    });
    expect((await ask('GET', `${at}/diff?from=2&to=2`)).body).toMatchObject({ isSame: true });
    expect((await ask('GET', `${at}/diff?from=9`)).status).toBe(404);
    expect((await ask('GET', `${at}/diff?from=nobody`)).body).toEqual({
      error: `${NAME} has no label nobody`,
    });
    expect((await ask('GET', `${at}/diff?from=-1`)).status).toBe(400);
  });

  test('of texts that have nothing in common is bounded', () => {
    const lines = (word: string): string =>
      Array.from({ length: 50_000 }, (_, i) => `${word}${i}`).join('\n');
    const started = process.cpuUsage();
    const found = diffLines(lines('a'), lines('b'));
    expect(found.length).toBe(100_000);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000);
  });
});
