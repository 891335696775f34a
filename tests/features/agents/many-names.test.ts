import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  agentReplySchema,
  agentsReplySchema,
  graphReplySchema,
  toolReplySchema,
  toolsReplySchema,
} from '../../../src/features/agents/contract.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

/** So many agents and tools more than a list tells. */
const MORE = 7;
const MANY = 1_000 + MORE;

let world: TestApp;
let no = 0;

/** Calls of models by agents, and of tools; each has another name, and the first ten come twice. */
beforeAll(async () => {
  world = await openTestApp();
  const names = [...Array.from({ length: MANY }, (_, i) => i), ...Array.from({ length: 10 }, (_, i) => i)];
  const events = names.flatMap((name) => [
    { agent: `agent-${name}x`, provider: 'openai', model: 'gpt-4o', cost_usd: 0.01 },
    { kind: 'tool', tool: `tool-${name}x`, latency_ms: 50, status: name % 2 === 0 ? 'success' : 'error' },
  ]);
  for (let from = 0; from < events.length; from += 100) {
    const part = events.slice(from, from + 100).map((event) => ({
      ...event,
      timestamp: new Date(TEST_NOW - 60_000).toISOString(),
      span_id: (++no).toString(16).padStart(16, '0'),
      trace_id: no.toString(16).padStart(32, '0'),
    }));
    const sent = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: part });
    expect(sent.status).toBe(202);
  }
});
afterAll(() => world.close());

async function read<T>(schema: { parse(json: unknown): T }, path: string): Promise<T> {
  const { projectId, bearer } = world.seed;
  return schema.parse(await (await world.fetch(`${path}?projectId=${projectId}`, { bearer })).json());
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const twice = (kind: string): string[] => Array.from({ length: 10 }, (_, i) => `${kind}-${i}x`).sort();

test('the thousand agents with the highest cost are listed, and the others are told together', async () => {
  const { agents, otherAgents } = await read(agentsReplySchema, '/v1/agents');
  expect(agents).toHaveLength(1_000);
  expect(agents.slice(0, 10).map(({ name }) => name)).toEqual(twice('agent'));
  expect(otherAgents).toEqual({
    ...{ agents: MORE, runs: MORE, failedRuns: 0, modelCalls: MORE, toolCalls: 0, unpriced: 0 },
    cost: expect.closeTo(MORE * 0.01, 9),
  });
  expect(sum(agents.map(({ modelCalls }) => modelCalls)) + MORE).toBe(MANY + 10);
  for (const { series, modelCalls } of agents) expect(series.slice(-1)).toEqual([modelCalls]);
  const listed = new Set(agents.map(({ name }) => name));
  const name = Array.from({ length: MANY }, (_, i) => `agent-${i}x`).find((one) => !listed.has(one));
  expect((await read(agentReplySchema, `/v1/agents/${name}`)).agent).toMatchObject({ name, modelCalls: 1 });
});

test('the thousand most called tools are listed with percentiles, and the others are told together', async () => {
  const { tools, otherTools } = await read(toolsReplySchema, '/v1/tools');
  expect(tools).toHaveLength(1_000);
  expect(tools.slice(0, 10).map(({ name }) => name)).toEqual(twice('tool'));
  for (const { latencyP50, series, calls } of tools)
    expect([latencyP50, series.at(-1)]).toEqual([expect.closeTo(50, 0), calls]);
  const failed = sum(tools.map(({ errors }) => errors));
  expect(otherTools).toEqual({ tools: MORE, calls: MORE, errors: Math.floor(MANY / 2) + 5 - failed });
  const listed = new Set(tools.map(({ name }) => name));
  const name = Array.from({ length: MANY }, (_, i) => `tool-${i}x`).find((one) => !listed.has(one));
  expect((await read(toolReplySchema, `/v1/tools/${name}`)).tool).toMatchObject({ name, calls: 1 });
});

test('the graph has a thousand nodes, all those of its edges, and the others are told together', async () => {
  const { nodes, otherNodes, edges, others } = await read(graphReplySchema, '/v1/agents/graph');
  expect([nodes.length, edges.length, others.edges]).toEqual([1_000, 300, MANY - 300]);
  const shown = new Set(nodes.map(({ id }) => id));
  expect(edges.flatMap(({ from, to }) => [from, to]).filter((id) => !shown.has(id))).toEqual([]);
  expect(otherNodes?.nodes).toBe(2 * MANY + 1 - 1_000);
  expect(sum(nodes.map(({ calls }) => calls)) + (otherNodes?.calls ?? 0)).toBe(2 * (MANY + 10));
  expect(sum(nodes.map(({ errors }) => errors)) + (otherNodes?.errors ?? 0)).toBe(Math.floor(MANY / 2) + 5);
});
