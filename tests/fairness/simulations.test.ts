import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { SimulationDetail } from '../../src/features/simulations/contract.ts';
import type { SimulationRun, SimulationRunDetail } from '../../src/features/simulations/runs/contract.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { longestSlice } from '../helpers/slices.ts';
import { SLOW_PATTERN, slowText } from './slow-pattern.ts';

let app: TestApp;
const text = slowText(49_000);
const agent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({ text }) });
beforeAll(async () => {
  const env = { OUTBOUND_ALLOW: '127.0.0.1' };
  app = await openTestApp({ mode: 'serve', now: Date.now(), checkReplies: false, env });
});
afterAll(async () => {
  await app.close();
  await agent.stop(true);
});

async function send<T>(path: string, json?: object, status = 201): Promise<T> {
  const { bearer, projectId } = app.seed;
  const response = await app.fetch(`/v1/simulations${path}?projectId=${projectId}`, {
    bearer,
    ...(json !== undefined && { method: 'POST', json }),
  });
  expect(response.status).toBe(status);
  return (await response.json()) as T;
}

/** Patterns that are slow to compile and to match. */
const checks = Array.from({ length: 2 }, (_, i) => ({
  kind: 'regex',
  pattern: `${SLOW_PATTERN}${i}`,
  mode: 'absent',
}));
const target = { kind: 'http', url: `http://127.0.0.1:${agent.port}/`, reply: { text: 'text' } };

test('answers with slow checks, of several conversations at once, keep the serving thread for a moment at a time', async () => {
  const scenarios = Array.from({ length: 3 }, (_, i) => ({ name: `${i}`, script: ['Hi'] }));
  const suite = { name: 'answers', target, checks, concurrency: 3, scenarios };
  const { id } = await send<SimulationDetail>('', { suite });
  const run = async (): Promise<void> => {
    const started = await send<SimulationRun>(`/${id}/runs`, {});
    for (;;) {
      const { status, counts } = await send<SimulationRunDetail>(`/runs/${started.id}`, undefined, 200);
      if (status === 'running') {
        // A person may ask 300 times a minute.
        await Bun.sleep(300);
        continue;
      }
      expect([status, counts.failed]).toEqual(['completed', 3]);
      return;
    }
  };
  expect(await longestSlice(run)).toBeLessThan(60);
}, 120_000);

test('a suite whose patterns take long to compile keeps the serving thread for a moment at a time', async () => {
  let name = 0;
  const save = (count: number, status: number): Promise<unknown> => {
    const many = Array.from({ length: count }, (_, i) => ({
      kind: 'regex',
      pattern: `\\w{999}\\w{999}\\w{9${String(i).padStart(2, '0')}}`,
    }));
    return send(
      '',
      { suite: { name: `${++name}`, target, criteria: many, scenarios: [{ name: 'a', script: ['a'] }] } },
      status,
    );
  };
  expect(await longestSlice(() => save(30, 201))).toBeLessThan(60);
  // A suite of one megabyte has place for 16,000 of them, which took half a minute.
  expect(await longestSlice(() => save(50, 400))).toBeLessThan(60);
});
