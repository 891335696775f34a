import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the page of an agent', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world.close());

  test('marks each cost that leaves out calls without a price, those of runs too', async () => {
    const { projectId, apiKey } = world.app.seed;
    const call = (trace: string, agent: string, model: string) => ({
      ...{ provider: 'openai', model, input_tokens: 1_000, output_tokens: 100, latency_ms: 10 },
      ...{ trace_id: trace, agent, timestamp: new Date(world.app.clock.now() - 60_000).toISOString() },
    });
    const events = [
      call('a', 'mixed', 'gpt-4o'),
      call('a', 'mixed', 'no-such-model'),
      call('b', 'unknown', 'no-such-model'),
      call('c', 'known', 'gpt-4o'),
    ];
    expect((await world.app.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
    const { page, go, complaints, close } = await world.open();
    const costs = async (agent: string): Promise<string[]> => {
      await go(`/projects/${projectId}/agents/${agent}`);
      await page.getByText('p95 cost of a run').waitFor();
      const tiles = page.locator('[class*=kpi_]').filter({ hasText: /cost/i });
      return (await tiles.allInnerTexts()).map((text) => text.split('\n').slice(1).join(' '));
    };
    const minimum = expect.stringMatching(/^≥ \$0\.0035\d* 1 unpriced$/);
    expect(await costs('mixed')).toEqual([minimum, minimum, minimum, minimum, minimum]);
    expect(new Set(await costs('unknown'))).toEqual(new Set(['unpriced 1 unpriced']));
    for (const text of await costs('known')) expect(text).toMatch(/^\$0\.0035$/);
    expect(complaints).toEqual([]);
    await close();
  });

  test('the lists say how many agents and tools they leave out, and what these cost', async () => {
    const { projectId, apiKey, bearer } = await world.app.addTenant();
    const timestamp = new Date(world.app.clock.now() - 60_000).toISOString();
    const events = Array.from({ length: 1_003 }, (_, no) => [
      { agent: `agent-${no}x`, provider: 'openai', model: 'gpt-4o', cost_usd: 0.01, timestamp },
      { kind: 'tool', tool: `tool-${no}x`, timestamp },
    ]).flat();
    for (let from = 0; from < events.length; from += 100) {
      const part = events.slice(from, from + 100);
      expect((await world.app.fetch('/v1/ingest', { apiKey, events: part })).status).toBe(202);
    }
    const { page, go, complaints, close } = await world.open({ bearer });
    const note = async (path: string): Promise<string> => {
      await go(`/projects/${projectId}/${path}`);
      return (await page.getByText('are not listed').textContent())?.split(' are not')[0] ?? '';
    };
    expect(await note('agents')).toBe(
      'These are the 1,000 agents with the highest cost. 3 others with 3 model calls ($0.03)',
    );
    expect(await note('tools')).toBe('These are the 1,000 most called tools. 3 others with 3 calls');
    expect(complaints).toEqual([]);
    await close();
  });
});
