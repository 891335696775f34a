import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { graphReplySchema } from '../../../src/features/agents/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { EXPECTATIONS } from './recordings/expectations.ts';
import { getJson, post, readRecording, spanBySpan } from './replay.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The agents and tools of the programs that were recorded, and how often each was called; none for the others. */
const CALLED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'langgraph-openinference': { 'tool:get_weather': 1 },
  'langchain-openinference': { 'tool:get_weather': 1 },
  'langchain-traceloop': { 'tool:DynamicStructuredTool': 1 },
  mastra: { 'agent:support': 4, 'tool:get_weather': 1 },
  'openai-agents-openinference': { 'agent:planner': 6, 'tool:get_weather': 1 },
  'vercel-ai-5': { 'tool:get_weather': 1 },
  'vercel-ai-5-bun': { 'tool:get_weather': 1 },
  'vercel-ai-7': { 'agent:fn-1': 12, 'tool:get_weather': 1 },
  'vercel-ai-7-legacy': { 'tool:get_weather': 1 },
  voltagent: { 'agent:support': 4, 'tool:get_weather': 1 },
};

test('all recordings are looked at', () => {
  const recorded = readdirSync(new URL('./recordings', import.meta.url)).filter((file) =>
    file.endsWith('.ndjson'),
  );
  const clients = EXPECTATIONS.map(({ client }) => client);
  expect(clients.toSorted()).toEqual(recorded.map((file) => file.slice(0, -'.ndjson'.length)).sort());
  expect(Object.keys(CALLED).filter((client) => !clients.includes(client))).toEqual([]);
});

test.each(EXPECTATIONS.map(({ client }) => client))(
  '%s: the agents and tools of the program, and no other',
  async (client) => {
    const requests = readRecording(client);
    const ways = [requests, spanBySpan(requests).toReversed()];
    const graphs = await Promise.all(
      ways.map(async (way) => {
        const tenant = await app.addTenant();
        await post(app, tenant, way);
        const path = `/v1/agents/graph?projectId=${tenant.projectId}&start=2020-01-01T00:00:00Z`;
        return graphReplySchema.parse(await getJson(app, path, tenant.bearer));
      }),
    );
    const [first, second] = graphs;
    const named = first?.nodes.filter(({ kind }) => kind !== 'model') ?? [];
    expect(Object.fromEntries(named.map(({ id, calls }) => [id, calls]))).toEqual(CALLED[client] ?? {});
    // One span per request, the last first, gives the same. Costs may differ: VoltAgent's are known by request.
    const calls = (graph: typeof first): string[] =>
      (graph?.edges ?? []).map(({ from, to, calls, errors }) => `${from} ${to} ${calls} ${errors}`).sort();
    expect(calls(second)).toEqual(calls(first));
  },
);
