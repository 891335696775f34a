import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import type { EventPage } from '../../../src/core/events/contract.ts';
import { toolSchemas } from '../../../src/core/tool-schemas/table.ts';
import { graphReplySchema } from '../../../src/features/agents/contract.ts';
import { openTestApp, type Tenant, type TestApp } from '../../helpers/app.ts';
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
  langfuse: { 'agent:planner': 1, 'tool:search': 1 },
  'langfuse-4': { 'agent:my-agent': 1, 'tool:get_weather': 1 },
  mastra: { 'agent:support': 4, 'tool:get_weather': 1 },
  'openai-agents-openinference': { 'agent:planner': 6, 'tool:get_weather': 1 },
  'vercel-ai-5': { 'tool:get_weather': 1 },
  'vercel-ai-5-bun': { 'tool:get_weather': 1 },
  'vercel-ai-7': { 'agent:fn-1': 12, 'tool:get_weather': 1 },
  'vercel-ai-7-legacy': { 'tool:get_weather': 1 },
  voltagent: { 'agent:support': 4, 'tool:get_weather': 1 },
};

/** The tools that calls were offered, each with the properties of its arguments; none for the other recordings. */
const OFFERED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  traceloop: { get_weather: ['city string?'] },
  'traceloop-0.14': { get_weather: ['city string?'] },
  openinference: { get_weather: ['city string?'] },
  'langchain-openinference': { get_weather: ['city string?'] },
  'vercel-ai-5': { get_weather: ['city string'] },
  'vercel-ai-5-bun': { get_weather: ['city string'] },
  'vercel-ai-7': { get_weather: ['city string'] },
  'vercel-ai-7-legacy': { get_weather: ['city string'] },
  openlit: { get_weather: ['city string?'] },
  sentry: { get_weather: ['city string?'] },
  'langgraph-openinference': { get_weather: ['city string'] },
};

/** The tools that the calls of a project were offered. */
async function offeredIn(projectId: string): Promise<Record<string, readonly string[]>> {
  const rows = await app.ctx.db.sql
    .select({ tool: toolSchemas.tool, properties: toolSchemas.properties })
    .from(toolSchemas)
    .where(eq(toolSchemas.projectId, projectId));
  return Object.fromEntries(
    rows.map(({ tool, properties }) => [
      tool,
      (JSON.parse(properties) as [string, string, 0 | 1][]).map(
        ([path, type, isRequired]) => `${path} ${type}${isRequired === 1 ? '' : '?'}`,
      ),
    ]),
  );
}

/** The versions of agents that the events of a project name. */
async function versionsIn({ projectId, bearer }: Tenant): Promise<string[]> {
  const { events } = (await getJson(
    app,
    `/v1/events?projectId=${projectId}&start=2020-01-01T00:00:00Z&limit=200`,
    bearer,
  )) as EventPage;
  return [...new Set(events.flatMap(({ agent_version }) => agent_version ?? []))];
}

test('all recordings are looked at', () => {
  const recorded = readdirSync(new URL('./recordings', import.meta.url)).filter((file) =>
    file.endsWith('.ndjson'),
  );
  const clients = EXPECTATIONS.map(({ client }) => client);
  expect(clients.toSorted()).toEqual(recorded.map((file) => file.slice(0, -'.ndjson'.length)).sort());
  const named = [...Object.keys(CALLED), ...Object.keys(OFFERED)];
  expect(named.filter((client) => !clients.includes(client))).toEqual([]);
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
        expect(await offeredIn(tenant.projectId)).toEqual(OFFERED[client] ?? {});
        // No recorded client sends `gen_ai.agent.version`.
        expect(await versionsIn(tenant)).toEqual([]);
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
